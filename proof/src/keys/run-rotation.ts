import { setTimeout as delay } from 'node:timers/promises'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import type { PhaseReport, SteadyLoad } from '../shared/steady-load.ts'
import { judgeLoad, runDrill, undoneProblems, warmUpMs } from '../upgrade/drill.ts'
import { startFleet, type Fleet } from '../upgrade/fleet.ts'
import { startUpgradeInstallation, type UpgradeInstallation } from '../upgrade/installation.ts'
import { createSecretFiles, secretNames, type SecretFiles, type SecretName } from './secret-files.ts'

type RotationOptions = {
  perSecond: number
  /** How long each phase of steady load lasts at least. */
  phaseSeconds: number
  /** How long a new secret is only accepted; a rolling restart must take less. */
  adoptionSeconds: number
  /** Whether the secrets are rotated once more, by new settings and two rolling restarts. */
  bySettings: boolean
  print: (line: string) => void
}

type RotationReport = {
  phases: PhaseReport[]
  acknowledged: number
  /** How often a data key was wrapped again. */
  rewrapped: number
  quietMs: number
  problems: string[]
}

type Drill = {
  installation: UpgradeInstallation
  files: SecretFiles
  load: SteadyLoad
  fleet: Fleet
  options: RotationOptions
}

const secondMs = 1_000
const settleLimitMs = 180 * secondMs
const providerDelayMs = 300

/** Rotates every secret of an installation under load; no request may fail, no invariant may break. */
export async function runRotation(options: RotationOptions): Promise<RotationReport> {
  let files: SecretFiles
  return runDrill(
    async (directory) => {
      files = await createSecretFiles(directory)
      const env = { ...files.env, KEY_ADOPTION_SECONDS: String(options.adoptionSeconds) }
      return startUpgradeInstallation(directory, providerDelayMs, env)
    },
    async ({ installation, startLoad }) => {
      const fleet = await startFleet(installation, { name: 'first', directory: repositoryDir })
      const load = await startLoad({ perSecond: options.perSecond, name: 'keys' })
      await rotate({ installation, files, load, fleet, options })
      return judge(installation, load)
    },
  )
}

async function rotate({ installation, files, load, fleet, options }: Drill): Promise<void> {
  const { phaseSeconds, print } = options
  const shiftMs = warmUpMs(options.perSecond)
  const phase = async (name: string, work: () => Promise<unknown> = () => Promise.resolve()) => {
    load.begin(name)
    const startedAt = performance.now()
    await Promise.all([work(), delay(phaseSeconds * secondMs)])
    print(`${name}: ${((performance.now() - startedAt) / secondMs).toFixed(1)} s`)
  }
  const rotated = async (name: SecretName): Promise<void> => {
    const id = files.add(name)
    await files.write()
    await untilInUse(installation, name, id)
  }
  const rolled = async (name: string, replaces: Fleet, env = {}): Promise<Fleet> => {
    const next = await startFleet(installation, { name, directory: repositoryDir, replaces, shiftMs, env })
    await replaces.retireWorker()
    return next
  }
  let running = fleet
  await phase('before')
  await phase('SECRET_KEY in its file', () => rotated('SECRET_KEY'))
  await phase('API_KEY_PEPPER in its file', () => rotated('API_KEY_PEPPER'))
  await phase('restart without the old ones', async () => {
    files.removeOld()
    await files.write()
    running = await rolled('second', running)
  })
  if (!options.bySettings) return
  await phase('restart with new settings', async () => {
    const ids = secretNames.map((name) => ({ name, id: files.add(name) }))
    running = await rolled('third', running, files.plainEnv())
    for (const { name, id } of ids) await untilInUse(installation, name, id)
  })
  await phase('restart without the old ones again', async () => {
    files.removeOld()
    running = await rolled('fourth', running, files.plainEnv())
  })
}

const outdated: Readonly<Record<SecretName, string>> = {
  SECRET_KEY: `select wrapped_by from data_keys where wrapped_by <> $1
    union all select wrapped_by from installation_keys where wrapped_by <> $1`,
  // The organisations that pay; keys that nobody uses stay as they are.
  API_KEY_PEPPER: `select pepper_id from api_keys where last_used_at > now() - interval '2 minutes'
    and pepper_id <> $1`,
}

/** Ends when nothing needs an older version of the secret any more. */
async function untilInUse({ owner }: UpgradeInstallation, name: SecretName, id: string): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const { rowCount } = await owner.query(outdated[name], [id])
    if (rowCount === 0) return
    if (performance.now() - startedAt > settleLimitMs)
      throw new Error(`${rowCount} rows still need the former ${name}`)
    await delay(secondMs / 4)
  }
}

async function judge(installation: UpgradeInstallation, load: SteadyLoad): Promise<RotationReport> {
  const judged = await judgeLoad(installation, load)
  const { rows } = await installation.owner.query<{ count: number }>(
    `select count(*)::integer as count from audit_log where action = 'data-key.rewrap'`,
  )
  return {
    phases: judged.phases,
    acknowledged: load.acknowledged.length,
    rewrapped: rows[0]?.count ?? 0,
    quietMs: judged.quietMs,
    problems: [...judged.problems, ...undoneProblems(judged)],
  }
}
