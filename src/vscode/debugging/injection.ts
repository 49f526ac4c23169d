// Brings the tracer into a debug session: adds our environment to the launch configuration, just before js-debug reads
// it. The second resolve phase is the right one: variables are substituted, `node` has become `pwa-node`, and VS Code
// calls it again for a restart after launch.json was edited. js-debug appends what we leave in NODE_OPTIONS, and the NODE_OPTIONS of its own
// process, to its bootloader; so only `env` and `envFile` need merging here.
import * as vscode from 'vscode';
import { FOLDER_VARIABLE, tracedEnvironment } from '../../host/injection/environment.ts';
import { TRACER_PATTERN } from '../../host/injection/tracer-file.ts';
import { setting } from '../common/config.ts';
import type { Log } from '../common/log.ts';
import { showError, showWarning } from '../common/notices.ts';
import { reasonOf } from '../common/reason.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { withLazyAsyncStacks } from './async-stacks.ts';
import { ATTACH_MARK, PROFILE_MARK } from './configuration-marks.ts';
import { readEnvFileValue } from './env-file.ts';
import type { TracingFiles } from './tracing-files.ts';

/**
 * Types that run Node. `node` becomes `pwa-node` while it is resolved; a provider for one is not called for the other.
 */
export const NODE_TYPES = ['node', 'pwa-node', 'node-terminal'] as const;

type Env = Record<string, string | null | undefined>;

/**
 * Why a configuration is left alone although profiling is wanted; each reason keeps a program from failing or a report
 * from being wrong.
 */
const OBSTACLES: { reason: string; isElsewhere?: boolean; applies(config: vscode.DebugConfiguration): boolean }[] = [
	// js-debug starts each process of a session as a child session, whose configuration is resolved too; the
	// environment is already set.
	{ reason: 'it is a part of another session', applies: (config) => '__pendingTargetId' in config },
	// The tracer's path would not exist over there, and Node ends when a required file is missing.
	{
		reason: 'it runs on another machine (remoteRoot)',
		isElsewhere: true,
		applies: (config) => Boolean(config.remoteRoot),
	},
	{ reason: 'it runs on another machine (address)', isElsewhere: true, applies: (config) => !isHere(config.address) },
	{ reason: 'it has the tracer already', applies: (config) => Boolean((config.env as Env)?.[FOLDER_VARIABLE]) },
];

export class Injector implements vscode.DebugConfigurationProvider {
	readonly #files: TracingFiles;
	readonly #log: Log;
	readonly #onFolder: (folder: string) => void;
	readonly #sessions: Sessions;
	/** Names of configurations that are profiled although they carry no mark. */
	readonly #wanted = new Set<string>();

	/**
	 * @param onFolder is called with each journal folder that was given to a program
	 * @param sessions a configuration that is resolved again for a restart has lost its mark
	 */
	constructor(files: TracingFiles, log: Log, onFolder: (folder: string) => void, sessions: Sessions) {
		this.#files = files;
		this.#log = log;
		this.#onFolder = onFolder;
		this.#sessions = sessions;
	}

	/** Until the returned function is called, configurations of these names are profiled. */
	want(names: readonly string[]): () => void {
		for (const name of names) this.#wanted.add(name);
		return () => {
			for (const name of names) this.#wanted.delete(name);
		};
	}

	async resolveDebugConfigurationWithSubstitutedVariables(
		folder: vscode.WorkspaceFolder | undefined,
		config: vscode.DebugConfiguration,
	): Promise<vscode.DebugConfiguration> {
		if (!vscode.workspace.isTrusted) return config;
		const isWanted =
			config[PROFILE_MARK] === true || this.#wanted.has(config.name) || this.#sessions.isProfiled(folder, config.name);
		if (!isWanted && !setting('profileEveryNodeSession')) return config;
		const obstacle = OBSTACLES.find((candidate) => candidate.applies(config));
		if (obstacle !== undefined) {
			this.#log.debug(`"${config.name}" is not profiled: ${obstacle.reason}.`);
			if (isWanted && obstacle.isElsewhere === true) {
				showWarning(vscode.l10n.t('“{0}” is not being profiled: it runs on another machine.', config.name));
			}
			return config;
		}
		try {
			return await this.#inject(folder, config);
		} catch (error) {
			this.#log.error(error as Error);
			showError(
				vscode.l10n.t('Waitline could not prepare the profile, so the program runs without it. {0}', reasonOf(error)),
			);
			return config;
		}
	}

	async #inject(
		folder: vscode.WorkspaceFolder | undefined,
		configured: vscode.DebugConfiguration,
	): Promise<vscode.DebugConfiguration> {
		const config = setting('lazyAsyncStacks') ? withLazyAsyncStacks(folder, configured) : configured;
		const injection = {
			...(await this.#files.prepare(setting('sampleBlocks'))),
			budgetPercent: setting('budgetPercent'),
		};
		this.#onFolder(injection.folder);
		const skipFiles = [...((config.skipFiles as string[] | undefined) ?? []), TRACER_PATTERN];
		if (config.request === 'attach') return { ...config, skipFiles, [ATTACH_MARK]: injection };
		const { NODE_OPTIONS: own, ...env } = await configuredEnvironment(config);
		this.#log.info(`"${config.name}" writes its journals to ${injection.folder}.`);
		return {
			...config,
			env: { ...env, ...tracedEnvironment({ NODE_OPTIONS: own }, injection) },
			skipFiles,
		};
	}
}

/** Whether the address of a program to attach to is on this machine. */
function isHere(address: unknown): boolean {
	return address === undefined || ['localhost', '127.0.0.1', '::1', '0.0.0.0'].includes(String(address));
}

/** The configuration's `env` with NODE_OPTIONS as js-debug would see it: `env` wins over `envFile`, null unsets. */
async function configuredEnvironment(config: vscode.DebugConfiguration): Promise<Env> {
	const env: Env = { ...(config.env as Env | undefined) };
	// Windows ignores upper and lower case in names; js-debug merges the variables there by their upper-case names.
	const key = Object.keys(env).find(
		(name) => (process.platform === 'win32' ? name.toUpperCase() : name) === 'NODE_OPTIONS',
	);
	if (key !== undefined) {
		const value = env[key];
		delete env[key];
		return { ...env, NODE_OPTIONS: value };
	}
	if (typeof config.envFile !== 'string' || config.envFile === '') return env;
	return { ...env, NODE_OPTIONS: await readEnvFileValue(config.envFile, 'NODE_OPTIONS') };
}
