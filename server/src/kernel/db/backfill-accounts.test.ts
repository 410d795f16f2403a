import { randomBytes, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '@switchyard/stack/services/database-url.ts'
import { migrateDatabase } from './migrate.ts'
import { installationOrgId } from './vault.ts'

/** Migration 0014 on the rows of an installation that has run before it. */
const migrationsDir = fileURLToPath(new URL('../../../migrations', import.meta.url))
/** 0001 to 0011 and 0013. */
const migrationsBefore = 12
const name = `test_${randomBytes(6).toString('hex')}`
const url = (role: string): string => databaseUrl(inject('postgresUrl'), name, role)

const own = randomUUID()
const shared = randomUUID()
const ids = {
  before: randomUUID(),
  after: randomUUID(),
  payout: randomUUID(),
  open: randomUUID(),
  stranger: randomUUID(),
  refund: randomUUID(),
  unsent: randomUUID(),
}

let server: pg.Client
let owner: pg.Client
beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  await server.query(`create database ${name}`)
  owner = new pg.Client({ connectionString: url('postgres') })
  await owner.connect()
  await runner({
    dbClient: owner,
    dir: migrationsDir,
    direction: 'up',
    count: migrationsBefore,
    migrationsTable: 'migrations',
    log: () => undefined,
  })
  await insertOldRows()
  await migrateDatabase({
    ownerUrl: url('postgres'),
    appUrl: url('switchyard_app'),
    systemUrl: url('switchyard_system'),
    log: () => undefined,
  })
})
afterAll(async () => {
  await owner.end()
  await server.query(`drop database ${name} with (force)`)
  await server.end()
})

/** One organisation got keys of its own on 1 June; the other one always used those of the installation. */
async function insertOldRows(): Promise<void> {
  for (const orgId of [own, shared])
    await owner.query(`insert into organizations (org_id, name, country) values ($1, 'Old', 'GB')`, [orgId])
  for (const [orgId, at] of [
    [installationOrgId, '2026-01-01'],
    [own, '2026-06-01'],
  ])
    await owner.query(
      `insert into provider_credentials (org_id, provider, credentials_sealed, created_at)
       values ($1, 'stripe', '\\x01', $2)`,
      [orgId, at],
    )
  await owner.query(
    `insert into provider_configs (org_id, config_id, provider, country, payment_method, direction, priority)
     values ($1, $2, 'stripe', 'GB', 'card', 'inbound', 7)`,
    [installationOrgId, randomUUID()],
  )
  await pay(own, ids.before, { at: '2026-05-01' })
  await pay(own, ids.after, { at: '2026-07-01' })
  await pay(own, ids.payout, { at: '2026-07-01', direction: 'outbound', provider: 'gone' })
  await pay(own, ids.open, { at: '2026-07-01', status: 'processing', state: 'accepted' })
  await pay(own, ids.unsent, { at: '2026-07-01', direction: 'outbound', status: 'initiated' })
  await pay(shared, ids.stranger, { at: '2026-07-01' })
  await owner.query(
    `insert into refunds (org_id, refund_id, payment_id, amount_minor, currency, reason, state, reference, provider, user_id)
     values ($1, $2, $3, 40, 'GBP', 'old', 'completed', $4, 'stripe', 'u')`,
    [own, ids.refund, ids.after, randomUUID()],
  )
  await transfer(own, ids.before, 'payin', ['provider:stripe', 'available', 100])
  await transfer(own, ids.after, 'payin', ['provider:stripe', 'available', 100])
  await transfer(own, ids.refund, 'refund', ['available', 'provider:stripe', 40])
  await transfer(shared, ids.stranger, 'payin', ['provider:stripe', 'available', 100])
}

interface OldPayment {
  at: string
  direction?: string
  status?: string
  state?: string
  provider?: string
}

async function pay(orgId: string, paymentId: string, old: OldPayment): Promise<void> {
  const { at, direction = 'inbound', status = 'completed', state = 'succeeded', provider = 'stripe' } = old
  const candidates = JSON.stringify({ candidates: [{ provider: 'stripe', configId: 'c' }] })
  await owner.query(
    `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
       target_currency, target_amount_minor, status, version, private_sealed, routing, request_id, created_at)
     values ($1, $2, 'u', $3, 'bank_transfer', 'GB', 'GBP', 100, 'GBP', 100, $4, 1, '\\x01', $5, 'r', $6)`,
    [orgId, paymentId, direction, status, candidates, at],
  )
  if (status === 'initiated') return
  await owner.query(
    `insert into attempts (org_id, payment_id, attempt_no, provider, config_id, reference, state, deadline_at, created_at)
     values ($1, $2, 1, $3, $4, $5, $6, $7, $7)`,
    [orgId, paymentId, provider, randomUUID(), randomUUID(), state, at],
  )
}

const transfer = (
  orgId: string,
  causeId: string,
  kind: string,
  [debit, credit, minor]: [string, string, number],
): Promise<unknown> =>
  owner.query(
    `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
     values ($1, $2, $3, 'posted', $4, $5, 'GBP', $6)`,
    [orgId, causeId, kind, debit, credit, minor],
  )

async function accountOf(paymentId: string): Promise<unknown> {
  const { rows } = await owner.query(
    `select account.org_id as owner, account.provider, account.status, attempt.custody,
            attempt.account_inferred as inferred, payment.custody as "paymentCustody",
            payment.account_id = attempt.account_id as "isSame"
     from attempts attempt
     join provider_accounts account on account.account_id = attempt.account_id
     join payments payment on payment.payment_id = attempt.payment_id
     where attempt.payment_id = $1`,
    [paymentId],
  )
  return rows[0]
}

describe('what was sent before accounts were recorded', () => {
  it('before the organisation had keys of its own was carried by the installation', async () => {
    const expected = { owner: installationOrgId, custody: 'pooled', inferred: true, paymentCustody: 'pooled' }
    expect(await accountOf(ids.before)).toMatchObject({ ...expected, isSame: true })
    expect(await accountOf(ids.stranger)).toMatchObject({ ...expected, isSame: true })
  })

  it('afterwards was carried by its own account, and so was its refund', async () => {
    expect(await accountOf(ids.after)).toMatchObject({ owner: own, custody: 'own', paymentCustody: 'own' })
    const { rows } = await owner.query(
      `select account.org_id as owner from refunds r join provider_accounts account using (account_id) where refund_id = $1`,
      [ids.refund],
    )
    expect(rows).toEqual([{ owner: own }])
  })

  it('by a provider that never had keys was carried by a retired account of the installation', async () => {
    expect(await accountOf(ids.payout)).toMatchObject({
      owner: installationOrgId,
      provider: 'gone',
      status: 'retired',
      // Payouts were held on the pooled balance, whichever account carried them.
      paymentCustody: 'pooled',
    })
  })

  it('an open payin has no custody yet, and its routes name the account that they would take', async () => {
    const { rows } = await owner.query(`select custody, routing from payments where payment_id = $1`, [
      ids.open,
    ])
    const account = await owner.query(
      `select account_id from provider_accounts where org_id = $1 and provider = 'stripe'`,
      [own],
    )
    expect(rows[0]).toMatchObject({
      custody: null,
      routing: { candidates: [{ configId: 'c', accountId: account.rows[0]?.account_id, custody: 'own' }] },
    })
  })

  it('a payout that was never sent is pooled and has no account', async () => {
    const { rows } = await owner.query(`select custody, account_id from payments where payment_id = $1`, [
      ids.unsent,
    ])
    expect(rows).toEqual([{ custody: 'pooled', account_id: null }])
  })
})

describe('configurations and balances', () => {
  it('an organisation with keys of its own gets the configuration that it used so far, at its account', async () => {
    const { rows } = await owner.query(
      `select config.org_id, config.priority, account.org_id as owner from provider_configs config
       left join provider_accounts account using (account_id) order by config.org_id`,
    )
    expect(rows).toEqual([
      { org_id: installationOrgId, priority: 7, owner: null },
      { org_id: own, priority: 7, owner: own },
    ])
  })

  it('what was paid into its own account moves there, without the refund, and nothing else moves', async () => {
    const { rows } = await owner.query(
      `select org_id, debit_account, credit_account, amount_minor::text as minor from ledger_transfers where kind = 'custody.moved'`,
    )
    expect(rows).toEqual([
      { org_id: own, debit_account: 'available', credit_account: 'available:own', minor: '60' },
    ])
  })

  it('the installation can make manual payments', async () => {
    const { rows } = await owner.query(
      `select org_id, status from provider_accounts where provider = 'manual'`,
    )
    expect(rows).toEqual([{ org_id: installationOrgId, status: 'active' }])
  })
})
