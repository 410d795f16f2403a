import { join } from 'node:path'
import { Client, type Pool } from 'pg'
import { installationOrgId } from '@switchyard/server/kernel/db/vault.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import {
  exampleOrganizations,
  operatorOf,
  seedOrganizations,
  type SeedResult,
} from '@switchyard/stack/seeds/seed.ts'
import { startInstallation, type Installation } from '@switchyard/stack/start-installation.ts'
import { watchLedger } from '../payments/evidence.ts'
import { patient } from '../shared/limits.ts'
import { copyRows, removeRows } from './copy-rows.ts'
import { readTenantTables } from './tenant-tables.ts'

type Cell = {
  readonly name: string
  readonly apiUrl: string
  readonly ownerUrl: string
  readonly owner: Pool
  rebuild(): Promise<string>
}

export type Member = { orgId: string; key: string }

/** Two installations that share their keys, the operator's accounts at the providers, and nothing else. */
export type Cells = {
  readonly old: Cell
  readonly fresh: Cell
  readonly mover: Member
  /** Stays in the old cell. */
  readonly stayer: Member
  /** Lives in the new cell before the others' move, so that processes there have served payments. */
  readonly resident: Member
  readonly simulatorDir: string
  unexpectedExits(): string[]
  stop(): Promise<void>
}

const programs = join(import.meta.dirname, '../shared/programs')
/** A table without an organisation, which the worker of each cell fills from the same feed. */
const sharedTables = ['market_rates']

export async function startCells(directory: string, publicUrl: string): Promise<Cells> {
  const env = { ...patient, DATABASE_POOL_SIZE: '10', PUBLIC_URL: publicUrl }
  const old = await startInstallation({
    directory: join(directory, 'old'),
    hasMailbox: true,
    simulator: { runsAs: 'process', delayMs: 20 },
    env,
    seed: seedPeople,
  })
  const fresh = await startInstallation({
    directory: join(directory, 'fresh'),
    hasMailbox: true,
    env: { ...env, RATE_FEED_URL: old.env['RATE_FEED_URL'] ?? '' },
    seed: () => Promise.resolve(undefined),
  }).catch(async (error: unknown) => {
    await old.stop()
    throw error
  })
  const stop = async (): Promise<void> => {
    await Promise.all([old.stop(), fresh.stop()])
  }
  try {
    await copyOperator(old, fresh)
    await Promise.all([watchLedger(old.owner), watchLedger(fresh.owner)])
    const [oldCell, freshCell] = [await startCell('old', old), await startCell('fresh', fresh)]
    const [mover, stayer, resident] = old.seeded.orgs.map(adminOf)
    if (!mover || !stayer || !resident) throw new Error('the seed lacks its organisations')
    return {
      old: oldCell,
      fresh: freshCell,
      mover,
      stayer,
      resident,
      simulatorDir: old.simulator.stateDir,
      unexpectedExits: () => [...old.unexpectedExits, ...fresh.unexpectedExits],
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function seedPeople(deps: Deps, simulatorUrl: string): Promise<SeedResult> {
  const people = await seedOrganizations(deps, [
    ...exampleOrganizations,
    { name: 'Accra Airtime', country: 'GH', domain: 'accra-airtime.test' },
  ])
  await seedProviders(deps, operatorOf(people), simulatorUrl)
  return people
}

function adminOf({ org_id: orgId, members }: SeedResult['orgs'][number]): Member {
  const admin = members.find(({ role }) => role === 'org-admin')
  if (!admin) throw new Error('an organisation has no administrator')
  return { orgId, key: admin.api_key }
}

async function startCell<Seeded>(name: string, installation: Installation<Seeded>): Promise<Cell> {
  const [api] = await Promise.all([
    installation.startApi({ file: join(programs, 'api.ts') }),
    installation.startWorker({ file: join(programs, 'worker.ts') }),
  ])
  return {
    name,
    apiUrl: api.url,
    ownerUrl: installation.ownerUrl,
    owner: installation.owner,
    rebuild: () => installation.run('rebuild'),
  }
}

/** What the operator owns is the same in every cell: its organisation, the accounts at the providers, the lists. */
async function copyOperator(old: Installation<SeedResult>, fresh: Installation<undefined>): Promise<void> {
  const [from, to] = [old, fresh].map(({ ownerUrl }) => new Client({ connectionString: ownerUrl }))
  if (!from || !to) throw new Error('two cells are needed')
  await Promise.all([from.connect(), to.connect()])
  try {
    const tables = await readTenantTables(from)
    for (const orgId of [installationOrgId, old.seeded.platformAdmin.org_id]) {
      await removeRows(to, tables, orgId)
      await copyRows({ from, to, tables, orgId })
    }
    for (const name of sharedTables) {
      const { rows } = await from.query<{ rows: string }>(
        `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${name} t`,
      )
      await to.query(`delete from ${name}`)
      await to.query(`insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1::jsonb)`, [
        rows[0]?.rows,
      ])
    }
  } finally {
    await Promise.all([from.end(), to.end()])
  }
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Asks each cell whose payment a provider's message is about. */
export async function orgOfReference({ old, fresh }: Cells, body: string): Promise<string | undefined> {
  const references = body.match(uuids) ?? []
  for (const { owner } of [fresh, old]) {
    const { rows } = await owner.query<{ org: string }>(
      'select org_id as org from attempts where reference = any ($1) limit 1',
      [references],
    )
    if (rows[0]) return rows[0].org
  }
  return undefined
}
