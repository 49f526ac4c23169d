// The extension's settings: key, type and default in one table; package.json is checked against it by a test.

/** Settings under the prefix `waitline.`. */
export const SETTINGS = {
	/** Profile every Node debug session, not only those started through the command. */
	profileEveryNodeSession: { type: 'boolean', default: false },
	/** Show waits behind the source lines. */
	lineAnnotations: { type: 'boolean', default: true },
} as const;

export const SETTINGS_PREFIX = 'waitline';
export type SettingKey = keyof typeof SETTINGS;
