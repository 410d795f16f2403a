import { parseArgs } from 'node:util'
import { createLog } from '../lib/log.ts'
import { readConfig, type Config } from './config.ts'
import { createDeps } from './deps.ts'
import { failed, type Finding } from './doctor/record.ts'
import { isHealthy, reportOf, runDoctor } from './doctor/run-doctor.ts'
import { StartError } from './start-error.ts'

/** `npm run doctor [-- --json]`: checks an installation and what it depends on. Exit code 1: something failed. */
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
const config = settings()
const findings = Array.isArray(config) ? config : await examine(config)
process.stdout.write(
  values.json
    ? `${JSON.stringify({ healthy: isHealthy(findings), findings }, null, 2)}\n`
    : reportOf(findings),
)
process.exitCode = isHealthy(findings) ? 0 : 1

function settings(): Config | Finding[] {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const fix = 'docs/settings.md describes every setting.'
    return error.message.split('\n').map((sentence) => failed('settings', sentence.replace(/\.$/, ''), fix))
  }
}

async function examine(read: Config): Promise<Finding[]> {
  const deps = await createDeps(read, { log: createLog('silent') })
  try {
    return await runDoctor({ config: read, deps })
  } finally {
    await deps.close()
  }
}
