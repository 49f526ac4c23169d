// Reads the extension's settings, typed by the table in src/protocol/settings.ts. A value written by hand may be
// anything: one of another type counts as not set, a number below the minimum as the minimum.
import * as vscode from 'vscode';
import {
	SETTINGS,
	SETTINGS_PREFIX,
	type SettingKey,
	type SettingSchema,
	type SettingValue,
} from '../../protocol/settings.ts';

/**
 * The value that is in effect.
 * @param document selects the value of its folder and language, where they may differ
 */
export function setting<Key extends SettingKey>(key: Key, document?: vscode.TextDocument): SettingValue<Key> {
	const schema: SettingSchema = SETTINGS[key];
	const value: unknown = vscode.workspace.getConfiguration(SETTINGS_PREFIX, document).get(key);
	return allowed(schema, value) as SettingValue<Key>;
}

function allowed(schema: SettingSchema, value: unknown): unknown {
	if (typeof value !== schema.type) return schema.default;
	if (schema.type === 'string' && schema.enum !== undefined && !schema.enum.includes(value as string)) {
		return schema.default;
	}
	return schema.type === 'number' ? Math.max(schema.minimum, value as number) : value;
}

/** Calls `listener` when that setting, or one below it, changed. */
export function onSettingChange(key: SettingKey | 'annotations', listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration((event) => {
		if (event.affectsConfiguration(`${SETTINGS_PREFIX}.${key}`)) listener();
	});
}
