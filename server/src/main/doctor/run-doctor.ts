import { reasonOf } from '../watch-dependencies.ts'
import { checkDatabase } from './check-database.ts'
import { checkEngine } from './check-engine.ts'
import { checkKeys } from './check-keys.ts'
import { checkCertificates, checkMachine } from './check-machine.ts'
import { checkPeople } from './check-people.ts'
import { checkIdentity, checkMail, checkProviders, checkRates, checkReachability } from './check-outside.ts'
import { checkSanctions } from './check-sanctions.ts'
import { failed, type Check, type CheckInput, type Finding, type State } from './record.ts'

const checks: Readonly<Record<string, Check>> = {
  machine: checkMachine,
  database: checkDatabase,
  keys: checkKeys,
  people: checkPeople,
  engine: checkEngine,
  mail: checkMail,
  identity: checkIdentity,
  rates: checkRates,
  sanctions: checkSanctions,
  providers: checkProviders,
  reachability: checkReachability,
  certificates: checkCertificates,
}
const checkLimitMs = 15_000

const marks: Readonly<Record<State, string>> = {
  ok: 'ok',
  warning: 'WARNING',
  failed: 'FAILED',
  skipped: 'skipped',
}

/** Runs every check at once. One that cannot be made, or takes too long, is a finding too. */
export async function runDoctor(examined: CheckInput): Promise<Finding[]> {
  const findings = await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      limited(check(examined)).catch((error: unknown) => [
        failed(
          name,
          `could not be checked (${reasonOf(error)})`,
          'Mend what failed above, then run this again.',
        ),
      ]),
    ),
  )
  return findings.flat()
}

function limited<T>(work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
    checkLimitMs,
  )
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

export const isHealthy = (findings: readonly Finding[]): boolean =>
  findings.every(({ state }) => state !== 'failed')

export function reportOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2
  const lines = findings.map(
    ({ check, state, detail, fix }) =>
      `${marks[state].padEnd(9)}${check.padEnd(width)}${detail}${fix === undefined ? '' : `. ${fix}`}\n`,
  )
  const count = (state: State): number => findings.filter((finding) => finding.state === state).length
  return `${lines.join('')}${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed\n`
}
