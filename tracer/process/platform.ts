// Which system this is.

export const isLinux = process.platform === 'linux';
export const isWindows = process.platform === 'win32';
