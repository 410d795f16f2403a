import { inspectDatabaseAcrossOrgs, inspectRoles, type DatabaseFacts } from '../../kernel/db/inspect.ts'
import { readMigrations } from '../../domains/office/platform/read-version.ts'
import { measureBacklogAcrossOrgs } from '../../kernel/engine/outbox.ts'
import { addressOf, reasonOf } from '../watch-dependencies.ts'
import { failed, ok, warning, type Check, type CheckInput, type Finding } from './record.ts'

const testedPostgres = 18
const skewWarningMs = 1_000
const skewLimitMs = 30_000
const outboxLimitSeconds = 60
const transactionAgeLimit = 1_000_000_000
const gigabyte = 2 ** 30
const dayMs = 24 * 60 * 60_000
/** The worker makes them three months ahead. */
const partitionsWarningMs = 60 * dayMs

export const checkDatabase: Check = async (examined) => {
  const { deps, config } = examined
  const askedAt = Date.now()
  const facts = await inspectDatabaseAcrossOrgs(deps.db).catch((error: unknown) => reasonOf(error))
  if (typeof facts === 'string')
    return [
      failed(
        'postgres',
        `${addressOf(config.DATABASE_SYSTEM_URL)} cannot be used (${facts})`,
        'Start Postgres, check DATABASE_APP_URL and DATABASE_SYSTEM_URL, then run `npm run migrate`.',
      ),
    ]
  const answeredAt = Date.now()
  return [
    versionFinding(facts, addressOf(config.DATABASE_SYSTEM_URL)),
    migrationsFinding(facts),
    ...(await roleFindings(examined)),
    rlsFinding(facts),
    partitionsFinding(facts),
    skewFinding(facts.now.getTime() - (askedAt + answeredAt) / 2),
    standbyFinding(facts),
    transactionsFinding(facts),
    await outboxFinding(examined),
  ]
}

const versionFinding = ({ majorVersion, version, sizeBytes }: DatabaseFacts, address: string): Finding =>
  majorVersion < testedPostgres
    ? warning(
        'postgres',
        `${address} runs ${version}`,
        `Upgrade Postgres to ${testedPostgres}, with which this version is tested.`,
      )
    : ok('postgres', `${address} runs ${version}, ${(sizeBytes / gigabyte).toFixed(1)} GB`)

export function migrationsFinding({ migrations }: Pick<DatabaseFacts, 'migrations'>): Finding {
  const expected = readMigrations()
  const missing = expected.filter((name) => !migrations.includes(name))
  const newer = migrations.filter((name) => !expected.includes(name))
  if (missing.length > 0)
    return failed(
      'migrations',
      `${missing.length} are missing, first ${missing[0]}`,
      'Run `npm run migrate`.',
    )
  return newer.length > 0
    ? warning(
        'migrations',
        `the database has ${newer.length} of a newer version, last ${newer.at(-1)}`,
        'Expected during an upgrade; otherwise upgrade this process.',
      )
    : ok('migrations', `all ${expected.length} are applied`)
}

async function roleFindings({ deps }: CheckInput): Promise<Finding[]> {
  const roles = await inspectRoles(deps.db)
  return roles.map((role, index) => {
    const expected = index === 0 ? 'switchyard_app' : 'switchyard_system'
    const problems = [
      ...(role.name === expected ? [] : [`is not ${expected}`]),
      ...(role.isSuperuser ? ['is a superuser'] : []),
      ...(role.bypassesRls ? ['bypasses row level security'] : []),
      ...(role.ownedTables > 0 ? [`owns ${role.ownedTables} tables`] : []),
    ]
    return problems.length === 0
      ? ok(`role ${expected}`, 'has no right beyond its grants')
      : failed(
          `role ${expected}`,
          `${role.name} ${problems.join(' and ')}`,
          `Log in as ${expected}, made by \`npm run migrate\`, and take these rights away with \`alter role\`.`,
        )
  })
}

function rlsFinding({ unprotectedTables, foreignPolicies }: DatabaseFacts): Finding {
  if (unprotectedTables.length > 0)
    return failed(
      'row level security',
      `is not forced on ${unprotectedTables.join(', ')}`,
      'Run `alter table NAME enable row level security; alter table NAME force row level security` for each.',
    )
  return foreignPolicies.length === 0
    ? ok(
        'row level security',
        'is forced on every table of organisations, with the policies of the migrations',
      )
    : failed(
        'row level security',
        `${foreignPolicies.join(', ')} is not a policy of the migrations, and may show data of other organisations`,
        'Stop the api and run `drop policy NAME on TABLE`, or restore the policy from server/migrations.',
      )
}

export function partitionsFinding({ partitionsUntil, now }: DatabaseFacts): Finding {
  if (partitionsUntil === null)
    return warning('partitions', 'no table is partitioned', 'See what `npm run migrate` said about it.')
  const detail = `every partitioned table has a place for rows until ${partitionsUntil.toISOString().slice(0, 10)}`
  const leftMs = partitionsUntil.getTime() - now.getTime()
  if (leftMs >= partitionsWarningMs) return ok('partitions', detail)
  const make = leftMs > 0 ? warning : failed
  return make('partitions', detail, 'Run `npm run migrate`, and look why no worker has made more.')
}

export function skewFinding(skewMs: number): Finding {
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1)
  const detail = `${seconds} s between this machine and Postgres`
  if (Math.abs(skewMs) < skewWarningMs) return ok('clock', detail)
  const make = Math.abs(skewMs) < skewLimitMs ? warning : failed
  return make(
    'clock',
    detail,
    'Synchronise both machines with NTP: deadlines of attempts and tokens depend on it.',
  )
}

export function standbyFinding(facts: DatabaseFacts): Finding {
  if (facts.isStandby)
    return failed('standby', 'the URLs lead to a standby, which is read-only', 'Point them to the primary.')
  if (facts.synchronousStandbys === '')
    return warning(
      'standby',
      'no synchronous standby is configured, so a lost disk loses acknowledged payments',
      'Add a standby and set synchronous_standby_names.',
    )
  return facts.connectedStandbys === 0
    ? failed(
        'standby',
        `${facts.synchronousStandbys} is configured, but no standby is connected, so commits wait`,
        'Start the standby.',
      )
    : ok('standby', `${facts.connectedStandbys} connected, synchronous: ${facts.synchronousStandbys}`)
}

const transactionsFinding = ({ transactionAge }: DatabaseFacts): Finding =>
  transactionAge < transactionAgeLimit
    ? ok('transaction ids', `${(transactionAge / 1e6).toFixed(0)} million of 2,000 million are in use`)
    : failed(
        'transaction ids',
        `${(transactionAge / 1e6).toFixed(0)} million of 2,000 million are in use`,
        'Run `vacuum freeze` and find out what keeps autovacuum from it.',
      )

async function outboxFinding({ deps }: CheckInput): Promise<Finding> {
  const { pending, oldestAgeSeconds } = await measureBacklogAcrossOrgs(deps.db.readAcrossOrgs)
  const detail = `${pending} due jobs, the oldest for ${Math.round(oldestAgeSeconds)} s`
  return oldestAgeSeconds < outboxLimitSeconds
    ? ok('outbox', detail)
    : failed('outbox', detail, 'Start a worker, and check that it reaches the engine (docs/runbooks).')
}
