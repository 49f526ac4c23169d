/** Which Node runs this: 18 to 26. */
export const NODE_MAJOR = Number.parseInt(process.versions.node, 10);
