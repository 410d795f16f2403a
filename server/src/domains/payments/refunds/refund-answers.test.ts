import { beforeEach, describe, expect, it } from 'vitest'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import {
  cardPayin,
  createTestClock,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { StoredAttempt } from '../record.ts'
import { advanceRefund, inquireRefund } from './advance-refund.ts'
import { bookRefund } from './book-refund.ts'
import type { Refund } from './record.ts'
import { refundPayment, type RefundDeps } from './refund-payment.ts'
import { bookNamedRefund } from './settle-refunds.ts'

/** What a provider's answers about refunds do, one by one, and what they must not do. */
const dayMs = 24 * 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let caller: Caller
let paymentId: string
beforeEach(async () => {
  org = await openPayments(t)
  caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'somebody', role: 'org-admin' })
  paymentId = await org.start(cardPayin())
})

type Replies = Partial<Pick<Connector, 'refund' | 'inquireRefund' | 'listRefunds'>>

/** The connectors as they are, but for what they reply about refunds; none at all without replies. */
const replying = (replies: Replies | undefined): RefundDeps => ({
  ...t.deps,
  connectors: {
    ...t.deps.connectors,
    load: async (orgId, accountId) => {
      const connector = await t.deps.connectors.load(orgId, accountId)
      return connector && replies && { ...connector, listRefunds: undefined, ...replies }
    },
  },
})
const unknown = { kind: 'unknown', reason: 'nobody knows' } as const
const inDoubt: Replies = {
  refund: () => Promise.resolve(unknown),
  inquireRefund: () => Promise.resolve(unknown),
}
const completed = (amountMinor?: bigint) => ({
  kind: 'accepted' as const,
  providerRef: `re ${paymentId}`,
  providerStatus: 'done',
  state: { state: 'completed' } as const,
  ...(amountMinor !== undefined && { amount: { amountMinor, currency: 'GBP' } }),
})
const refund = (deps: RefundDeps, amountMinor = 5_00n): Promise<Refund> =>
  refundPayment(deps, caller, { paymentId, amount: { amountMinor, currency: 'GBP' }, reason: 'asked' })
const stored = async (): Promise<{ version: number; state: string }[]> =>
  (await t.owner.query('select version, state from refunds where payment_id = $1', [paymentId])).rows
const exceptionOfSums = async (): Promise<string | null | undefined> =>
  (await t.owner.query('select exception_id from payin_sums where payment_id = $1', [paymentId])).rows[0]
    ?.exception_id
const advance = (deps: RefundDeps, { refundId }: Refund) =>
  advanceRefund(deps, { orgId: org.orgId, refundId, poll: 0 })
const kinds = async (): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${paymentId}`)).map(({ kind }) => String(kind)).toSorted()

describe('a refund in doubt', () => {
  it('waits in the outbox for its first question', async () => {
    const { refundId } = await refund(replying(inDoubt))
    const { rows } = await t.owner.query('select service, handler from outbox where outbox_id = $1', [
      refundId,
    ])
    expect(rows).toEqual([{ service: 'Refunds', handler: 'supervise' }])
  })

  it('is changed once by each answer, and not at all by one that says nothing new', async () => {
    const begun = await refund(replying(inDoubt))
    expect(await stored()).toEqual([{ version: 2, state: 'unknown' }])
    await inquireRefund(replying(inDoubt), begun)
    expect(await stored()).toEqual([{ version: 2, state: 'unknown' }])
    await inquireRefund(replying({ inquireRefund: () => Promise.resolve(completed()) }), begun)
    expect(await stored()).toEqual([{ version: 3, state: 'completed' }])
    expect(await exceptionOfSums()).toBeNull()
  })

  it('is asked about at once, then ever later, and in the end every six hours', async () => {
    const { refundId } = await refund(replying(inDoubt))
    const delaysMs: (number | undefined)[] = []
    for (const poll of [0, 1, 4, 5, 100])
      delaysMs.push(await advanceRefund(replying(inDoubt), { orgId: org.orgId, refundId, poll }))
    expect(delaysMs).toEqual([5_000, 30_000, 1_800_000, 21_600_000, 21_600_000])
  })

  it('stays as it is while its account has no credentials', async () => {
    const begun = await refund(replying(inDoubt))
    expect(await advance(replying(undefined), begun)).toBeGreaterThan(0)
    expect(await stored()).toEqual([{ version: 2, state: 'unknown' }])
  })

  it('is shown to a person after two weeks, and that question is closed when it ends', async () => {
    const begun = await refund(replying(inDoubt))
    clock.pass(15 * dayMs)
    try {
      expect(await advance(replying(inDoubt), begun)).toBe(t.deps.pollSchedule.doubtMs)
      const raised = await org.exceptions(`&payment_id=${paymentId}`)
      expect(raised).toMatchObject([
        { kind: 'refund_unknown', status: 'open', summary: expect.stringContaining('for two weeks') },
      ])
      await advance(replying({ inquireRefund: () => Promise.resolve(completed()) }), begun)
      expect(await org.exceptions(`&payment_id=${paymentId}`)).toMatchObject([
        { kind: 'refund_unknown', status: 'closed', resolution: 'The refund is completed.' },
      ])
    } finally {
      clock.pass(-15 * dayMs)
    }
  })

  it('is not sent at all by a process that stood still until its deadline', async () => {
    let isAsked = false
    const deps = replying({
      refund: () => {
        isAsked = true
        return Promise.resolve(completed())
      },
    })
    let now = 0
    const late = {
      ...deps,
      clock: { now: () => clock.now(), monotonicMs: () => (now += deps.sendDeadlineMs) },
    }
    expect((await refund(late)).state).toBe('failed')
    expect(isAsked).toBe(false)
  })
})

it('a refund of money in the custody of the organisation is paid from there', async () => {
  const key = `sk_test_${org.orgId}`
  t.simulator.configure('stripe', { account: org.orgId, secrets: { secret_key: key } })
  await org.ownAccount('stripe', {
    secretKey: key,
    webhookSecrets: ['whsec_own'],
    baseUrl: `${t.simulator.url}/stripe`,
  })
  paymentId = await org.start(cardPayin())
  expect((await org.record(paymentId)).status).toBe('completed')
  const { refundId } = await refund(t.deps)
  const own = (await org.postings(refundId)).filter(({ debit }) => debit.startsWith('available'))
  expect(own.map(({ debit }) => debit)).toEqual(own.map(() => 'available:own'))
  expect(own.length).toBeGreaterThan(0)
})

describe('a refund made at the provider', () => {
  const key = () => ({ orgId: org.orgId, paymentId })
  const reported = (name: string, amountMinor: bigint, currency = 'GBP') => ({
    providerRef: `${name} ${paymentId}`,
    providerStatus: 'done',
    state: { state: 'completed' } as const,
    amount: { amountMinor, currency },
  })

  it('that exceeds the payment leaves the excess in suspense, in the money and at the account that paid it', async () => {
    await bookRefund(t.deps, key(), reported('first', 24_00n))
    expect(await kinds()).toEqual(['refund_elsewhere'])
    expect(await exceptionOfSums()).toBeNull()
    await bookRefund(t.deps, key(), reported('second', 3_00n))
    expect(await kinds()).toEqual(['refund_elsewhere', 'refund_elsewhere', 'refund_exceeds_payment'])
    const [beyond] = await org.exceptions('&kind=refund_exceeds_payment')
    expect(beyond).toMatchObject({ provider: 'stripe', held: { amount: -2, currency: 'GBP' } })
    expect(await exceptionOfSums()).toBe(beyond?.['exception_id'])
    expect(await org.record(paymentId)).toMatchObject({ status: 'refunded', refunded_amount: 25 })
    const { rows } = await t.owner.query(
      'select amount_minor, excess_minor from refunds where payment_id = $1 order by created_at',
      [paymentId],
    )
    expect(rows).toEqual([
      { amount_minor: '2400', excess_minor: '0' },
      { amount_minor: '300', excess_minor: '200' },
    ])
  })

  it('is divided by what is left when it completes, and not when it was reported', async () => {
    const early = { ...reported('early', 20_00n), state: { state: 'processing' } as const }
    const booked = await bookRefund(t.deps, key(), early)
    await bookRefund(t.deps, key(), reported('other', 10_00n))
    await bookRefund(t.deps, key(), { ...early, state: { state: 'completed' } })
    const { rows } = await t.owner.query(
      'select debit_minor, excess_minor from refunds where refund_id = $1',
      [booked?.refundId],
    )
    expect(rows).toEqual([{ debit_minor: '1500', excess_minor: '500' }])
  })

  it('that fails afterwards costs nothing', async () => {
    const early = { ...reported('early', 20_00n), state: { state: 'processing' } as const }
    const booked = await bookRefund(t.deps, key(), early)
    const failure = { code: 'UNSPECIFIED', message: 'It failed.' }
    const ended = await bookRefund(t.deps, key(), { ...early, state: { state: 'failed', failure } })
    expect([ended?.state, ended?.failureCode, ended?.failureMessage]).toEqual([
      'failed',
      failure.code,
      failure.message,
    ])
    expect(await org.postings(booked?.refundId ?? '')).toEqual([])
    expect(await org.record(paymentId)).toMatchObject({ status: 'completed' })
    expect(await kinds()).toEqual([])
  })

  it('in another currency is raised once for each of them', async () => {
    for (const name of ['one', 'one', 'two']) await bookRefund(t.deps, key(), reported(name, 5_00n, 'EUR'))
    expect(await kinds()).toEqual(['refund_unmatched', 'refund_unmatched'])
    expect(await stored()).toEqual([])
  })
})

describe('a refund that a message names, and that proves nothing', () => {
  const bookNamed = async (replies: Replies | undefined): Promise<string[]> => {
    const deps = replying(replies)
    const loaded = await loadPayment(deps, org.orgId, paymentId)
    const attempt = loaded.attempts.find(({ state }) => state === 'succeeded') as StoredAttempt // it is paid
    await bookNamedRefund(deps, loaded, { attempt, refundId: 'named' })
    return (await stored()).map(({ state }) => state)
  }
  const answering = (answer: Awaited<ReturnType<NonNullable<Connector['inquireRefund']>>>): Replies => ({
    inquireRefund: () => Promise.resolve(answer),
  })

  it('is booked as the provider answers', async () => {
    expect(await bookNamed(answering(completed(5_00n)))).toEqual(['completed'])
    expect((await org.record(paymentId)).refunded_amount).toBe(5)
  })

  it('is not booked without an answer that has its amount', async () => {
    for (const replies of [
      undefined,
      { inquireRefund: undefined },
      answering(unknown),
      answering(completed()),
    ])
      expect(await bookNamed(replies as Replies | undefined)).toEqual([])
  })

  it('is left to the list of a provider that has one', async () => {
    const listRefunds = (): Promise<ProviderRefund[]> => Promise.resolve([])
    expect(await bookNamed({ ...answering(completed(5_00n)), listRefunds })).toEqual([])
  })
})
