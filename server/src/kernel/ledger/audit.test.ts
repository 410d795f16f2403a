import { Kysely, PostgresDialect, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DB } from '../db/generated/schema.ts'
import { transitions } from '../../domains/payments/lifecycle/rules.ts'
import {
  bankBeneficiary,
  bankPayout,
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../test/worlds/test-payments.ts'
import { exchangedCardPayin } from '../../../test/worlds/payment-requests.ts'
import { openAccounts } from '../../../test/worlds/test-accounts.ts'
import { openDisbursed } from '../../../test/worlds/test-disbursement.ts'
import { until } from '../../../test/app/test-relay.ts'
import { completeWholeRamp } from '../../../test/worlds/test-ramps.ts'
import { foldBalancesAcrossOrgs } from './available.ts'
import { adjustmentChecks } from './audit-adjustments.ts'
import { resolutionChecks } from './audit-resolutions.ts'
import { auditAcrossOrgs, formatFindings, isClean, type Finding } from './audit.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let owner: Kysely<DB>
/** One payment for each case that the checks distinguish. */
let ids: Awaited<ReturnType<typeof makePayments>>

beforeAll(async () => {
  org = await openPayments(t)
  // Before the payments, so that a test may change their transfers without touching a fold.
  await t.deps.db.acrossOrgs((tx) => foldBalancesAcrossOrgs(tx))
  ids = await makePayments()
  owner = new Kysely<DB>({ dialect: new PostgresDialect({ pool: t.owner }) })
})

async function makePayments() {
  const payee = await org.addBeneficiary(bankBeneficiary())
  const payout = (amount: number): Promise<string> =>
    org.start(bankPayout(payee, { amount, target_amount: amount }))
  const made = {
    payin: await org.start(cardPayin()),
    exchanged: await org.start(await exchangedCardPayin(org)),
    refunded: await org.start(mobileMoneyPayin()),
    payout: await payout(100),
    openPayout: await payout(100.13),
    failedPayout: await payout(100.14),
    latePayout: await payout(100.29),
  }
  await completeWholeRamp(t, org)
  await reach(made.payin, made.exchanged, made.refunded, made.payout, made.latePayout)
  const refund = await org.call('POST', `/v1/payments/${made.refunded}/refund`, { reason: 'audit' })
  await t.simulator.settle({ all: true })
  await until('the refund', async () => (await org.record(made.refunded)).status === 'refunded')
  await makeAccounts()
  await makeDispute(await org.start(cardPayin()))
  await openDisbursed(t)
  return { ...made, refund: String(refund.body.data.refund_id) }
}

async function makeDispute(paymentId: string): Promise<void> {
  const [attempt] = await org.attempts(paymentId)
  await t.simulator.dispute('stripe', { reference: attempt.data.reference })
}

/** A credited deposit, a deposit without an account, and a withdrawal. */
async function makeAccounts(): Promise<void> {
  const accounts = await openAccounts(t)
  const account = await accounts.funded(100_000)
  await accounts.withdraw(account.account_id, 100)
  await accounts.deposit({ bank_details: { account_number: '9999999999' } }, 5_000)
}

const reach = (...paymentIds: string[]): Promise<unknown> =>
  until('payments to complete', async () => {
    for (const id of paymentIds) if ((await org.record(id)).status !== 'completed') await org.advance(id)
    const records = await Promise.all(paymentIds.map((id) => org.record(id)))
    return records.every((record) => record.status === 'completed')
  })

/** Runs the audit after the statements, in a transaction that is rolled back. */
async function auditAfter(...statements: string[]): Promise<Finding[]> {
  const transaction = await owner.startTransaction().execute()
  try {
    for (const statement of statements) await sql.raw(statement).execute(transaction)
    return await auditAcrossOrgs(transaction, transitions)
  } finally {
    await transaction.rollback().execute()
  }
}

const broken = (findings: readonly Finding[]): string[] =>
  findings.filter((finding) => finding.violations > 0).map((finding) => finding.promise)

const posting = (kind: string, phase: string, change: { cause?: string; minor?: number } = {}): string =>
  `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
   values ('${org.orgId}', '${change.cause ?? ids.openPayout}', '${kind}', '${phase}', 'available', 'outgoing', 'NGN', ${change.minor ?? 10_013})`

describe('a database that was written by the operations alone', () => {
  it('breaks no promise, and every check but those of decisions examined at least one row', async () => {
    const findings = await t.deps.db.acrossOrgs((tx) => auditAcrossOrgs(tx.db, transitions))
    expect(formatFindings(findings.filter((finding) => finding.violations > 0))).not.toContain(':')
    expect(isClean(findings)).toBe(true)
    const unexamined = findings.filter(({ examined }) => examined === 0).map(({ promise }) => promise)
    expect(unexamined).toEqual([...resolutionChecks, ...adjustmentChecks].map(({ promise }) => promise))
  })
})

describe('the ledger', () => {
  it('a transfer with one side only breaks the sum of its currency', async () => {
    const found = await auditAfter(
      'alter table ledger_transfers alter credit_account drop not null',
      `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, currency, amount_minor)
       values ('${org.orgId}', '${ids.payin}', 'lost', 'void', 'available', 'GBP', 1)`,
    )
    expect(broken(found)).toContain('every currency sums to zero')
    expect(found[0]?.examples[0]?.subject).toContain('GBP')
  })

  it('a second end of a hold is found', async () => {
    const found = await auditAfter(
      'alter table ledger_transfers drop constraint ledger_transfers_pkey',
      posting('payout.hold.resolved', 'void'),
      posting('payout.hold.resolved', 'void'),
    )
    expect(broken(found)).toContain('a hold ends at most once, with its own amount and accounts')
  })

  it('a hold that ends with another amount is found, and so is an end without a hold', async () => {
    const promise = 'a hold ends at most once, with its own amount and accounts'
    expect(broken(await auditAfter(posting('payout.hold.resolved', 'void', { minor: 1 })))).toContain(promise)
    const stray = posting('payout.hold.resolved', 'post', { cause: ids.payin })
    expect(broken(await auditAfter(stray))).toContain(promise)
  })

  it('a hold that outlives its payout is found', async () => {
    const found = await auditAfter(
      `delete from ledger_transfers where cause_id = '${ids.failedPayout}' and kind = 'payout.hold.resolved'`,
    )
    expect(broken(found)).toEqual(['open holds are those of open payouts and refunds'])
  })

  it('an open payout without its hold is found', async () => {
    const found = await auditAfter(`delete from ledger_transfers where cause_id = '${ids.openPayout}'`)
    expect(broken(found)).toEqual(['open holds are those of open payouts and refunds'])
  })

  it('a transfer that no payment caused is found', async () => {
    const cause = '00000000-0000-4000-8000-000000000001'
    expect(broken(await auditAfter(posting('payin', 'posted', { cause })))).toEqual([
      'every transfer of a payment has its payment',
    ])
  })
})

describe('the postings of a payment', () => {
  const once = 'a completed payment is posted exactly once'
  const nothingElse = 'nothing else is posted for a payment'

  it.each(['payin', 'exchanged', 'payout', 'latePayout'] as const)(
    'a missing posting is found: %s',
    async (name) => {
      const found = await auditAfter(
        `delete from ledger_transfers where cause_id = '${ids[name]}' and kind in ('payin', 'payout.settled')`,
      )
      expect(broken(found)).toEqual([once])
    },
  )

  it.each([
    ['amount', 'amount_minor = amount_minor + 1'],
    ['account', `debit_account = 'provider:other'`],
    ['currency', `currency = 'USD'`],
  ])('a wrong %s is found', async (_what, change) => {
    const found = await auditAfter(
      `update ledger_transfers set ${change} where cause_id = '${ids.payin}' and kind = 'payin'`,
    )
    expect(broken(found)).toEqual([once])
  })

  it('half of an exchange is found', async () => {
    const found = await auditAfter(
      `delete from ledger_transfers where cause_id = '${ids.exchanged}' and kind = 'fx.bought'`,
    )
    expect(broken(found)).toEqual([once])
  })

  it('a late success counts as the posting of a payout’s hold, and both together are found', async () => {
    const found = await auditAfter(
      `update ledger_transfers set phase = 'post' where cause_id = '${ids.latePayout}' and kind = 'payout.hold.resolved'`,
    )
    expect(broken(found)).toEqual([once])
  })

  it('a payment that is not completed has no final posting', async () => {
    expect(broken(await auditAfter(posting('payout.settled', 'posted')))).toEqual([nothingElse])
    const late = posting('payout.late', 'posted', { cause: ids.failedPayout, minor: 10_014 })
    expect(broken(await auditAfter(late))).toEqual([nothingElse])
  })
})

describe('refunds', () => {
  it('a completed refund without a posting is found, and a posting without a completed refund', async () => {
    const promise = 'a refund is posted exactly if it is completed'
    const lost = await auditAfter(`delete from ledger_transfers where cause_id = '${ids.refund}'`)
    expect(broken(lost)).toEqual([promise])
    const early = await auditAfter(`update refunds set state = 'accepted' where refund_id = '${ids.refund}'`)
    expect(broken(early)).toContain(promise)
  })

  it('a refunded amount that differs from the completed refunds is found', async () => {
    const found = await auditAfter(`update payments set refunded_minor = 1 where payment_id = '${ids.payin}'`)
    expect(broken(found)).toEqual(['refunded is the sum of the completed refunds'])
  })

  it('two open refunds of a payment are found', async () => {
    const copy = `insert into refunds (org_id, refund_id, payment_id, origin, amount_minor, currency, debit_minor,
        debit_currency, reason, state, reference, provider, account_id, custody, user_id)
      select org_id, gen_random_uuid(), '${ids.payin}', 'api', 1, 'GBP', 1, 'GBP', 'x', 'unknown', gen_random_uuid(),
        provider, account_id, custody, user_id
      from refunds where refund_id = '${ids.refund}'`
    const found = await auditAfter('drop index refunds_one_open', copy, copy)
    expect(broken(found)).toContain('a payment has one open refund at most')
  })
})

describe('the events of a payment', () => {
  const ofPayin = (what: string): string =>
    `${what} where resource_id = '${ids.payin}' and event_type = 'transaction.updated'`

  it('a gap is found, and so is a wrong count', async () => {
    const promise = 'events are numbered without a gap'
    const gap = await auditAfter(
      `update events set sequence = 99 where resource_id = '${ids.payin}' and sequence = 1`,
    )
    expect(broken(gap)).toContain(promise)
    const count = await auditAfter(
      `update payments set event_count = event_count + 1 where payment_id = '${ids.payin}'`,
    )
    expect(broken(count)).toEqual([promise])
  })

  it('an event without a payment is found, unless it was sent by hand', async () => {
    const promise = 'events are numbered without a gap'
    const stray = await auditAfter(`update events set resource_id = gen_random_uuid() where event_id =
      (select max(event_id::text)::uuid from events where resource_id = '${ids.payin}')`)
    expect(broken(stray)).toContain(promise)
    const sent = { transaction_id: 'T-1', status: 'done', updated_at: '2026-11-01T10:00:00Z' }
    const body = { org_id: org.orgId, transaction_data: { ...sent, amount: 1, currency: 'GBP' } }
    expect((await org.call('POST', '/v1/public/webhooks/notify', body)).status).toBe(200)
    expect(isClean(await auditAcrossOrgs(owner, transitions))).toBe(true)
  })

  it('a status without an event is found', async () => {
    const found = await auditAfter(
      `update payments set status = 'pending' where payment_id = '${ids.openPayout}'`,
    )
    expect(broken(found)).toContain('the last event carries the status')
  })

  it.each([
    ['that the table does not allow', 'processing', 'initiated'],
    ['that does not start from the previous status', 'confirmed', 'pending'],
  ])('a change %s is found', async (_what, from, to) => {
    const found = await auditAfter(
      ofPayin(
        `update events set data = replace(data, '"status":"${from === 'processing' ? 'completed' : 'processing'}"', '"status":"${to}"')`,
      ),
    )
    expect(broken(found)).toContain('statuses follow the transition table')
  })

  it('a change without its event, or with two, is found', async () => {
    const renamed = `update events set event_type = 'payment.processing'
      where resource_id = '${ids.payin}' and event_type = 'payment.completed'`
    expect(broken(await auditAfter(renamed))).toEqual(['every change has its events'])
  })
})

describe('attempts', () => {
  it('two open attempts are found', async () => {
    const found = await auditAfter(
      'drop index attempts_one_open',
      `insert into attempts (org_id, payment_id, attempt_no, provider, config_id, account_id, custody, reference, state,
         deadline_at)
       select org_id, payment_id, 2, provider, config_id, account_id, custody, gen_random_uuid(), 'unknown', now()
       from attempts where payment_id = '${ids.openPayout}'`,
    )
    expect(broken(found)).toContain('a payment has one open attempt at most')
  })

  it.each([
    ['failed', 'payin'],
    ['succeeded', 'openPayout'],
    ['unknown', 'failedPayout'],
  ] as const)('an attempt that is %s does not match: %s', async (state, name) => {
    const change = `update attempts set state = '${state}' where payment_id = '${ids[name]}'`
    expect(broken(await auditAfter(change))).toContain('attempts match the status of their payment')
  })
})
