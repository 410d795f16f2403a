import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { memberCaller } from '@switchyard/stack/seeds/seed.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import {
  cardPayin,
  createTestClock,
  openPayments,
  operatorOf,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { StoredAttempt } from '../record.ts'
import { advanceRefund } from './advance-refund.ts'
import { bookRefund } from './book-refund.ts'
import type { Refund } from './record.ts'
import { refundPayment, type RefundDeps } from './refund-payment.ts'
import { hasOpenRefund, settleRefunds } from './settle-refunds.ts'

const clock = createTestClock()
const t = usePayments({ clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let caller: Caller
beforeAll(async () => {
  org = await openPayments(t)
  caller = memberCaller(operatorOf(t), { orgId: org.orgId, userId: 'somebody', role: 'org-admin' })
})

/** An account knows each of the provider's ids once, so they differ from test to test. */
let runNo = 0
beforeEach(() => {
  runNo += 1
})
const idOf = (name: string): string => `${runNo} ${name}`

type Replies = Partial<Pick<Connector, 'refund' | 'inquireRefund' | 'listRefunds'>>

/** The connectors as they are, but for what they reply about refunds. */
const replying = (replies: Replies): RefundDeps => ({
  ...t.deps,
  connectors: {
    ...t.deps.connectors,
    load: async (orgId, accountId) => {
      const connector = await t.deps.connectors.load(orgId, accountId)
      return connector && { ...connector, ...replies }
    },
  },
})

const unknown = { kind: 'unknown', reason: 'nobody knows' } as const
const inDoubt: Replies = {
  refund: () => Promise.resolve(unknown),
  inquireRefund: () => Promise.resolve(unknown),
}
const accepted = (providerRef: string | null, state: ProviderRefund['state']['state']) =>
  ({
    kind: 'accepted',
    providerRef: providerRef && idOf(providerRef),
    providerStatus: state,
    state: stateOf(state),
  }) as const

const stateOf = (state: ProviderRefund['state']['state']): ProviderRefund['state'] =>
  state === 'failed' ? { state, failure: { code: 'UNSPECIFIED', message: 'It failed.' } } : { state }

const listed = (
  name: string,
  { state = 'completed', amountMinor = 5_00n, reference = null }: Partial<Listed> = {},
): ProviderRefund => ({
  providerRef: idOf(name),
  reference,
  refundOf: { reference: null, providerRef: null },
  amount: { amountMinor, currency: 'GBP' },
  providerStatus: state,
  state: stateOf(state),
})
interface Listed {
  state: ProviderRefund['state']['state']
  amountMinor: bigint
  reference: string | null
}

const refund = (deps: RefundDeps, paymentId: string, amountMinor = 5_00n): Promise<Refund> =>
  refundPayment(deps, caller, { paymentId, amount: { amountMinor, currency: 'GBP' }, reason: 'returned' })

async function settle(
  paymentId: string,
  list: ProviderRefund[] | undefined,
  replies: Replies = inDoubt,
): Promise<string> {
  const deps = replying({ ...replies, listRefunds: () => Promise.resolve(list) })
  const loaded = await loadPayment(deps, org.orgId, paymentId)
  const attempt = loaded.attempts.find(({ state }) => state === 'succeeded') as StoredAttempt
  return settleRefunds(deps, loaded, attempt)
}

const refundsOf = async (paymentId: string): Promise<string[]> => {
  const { rows } = await t.owner.query<{ refund: string }>(
    `select origin || ' ' || amount_minor || ' ' || state || ' ' || coalesce(split_part(provider_ref, ' ', 2), '-') as refund
     from refunds where payment_id = $1 order by created_at`,
    [paymentId],
  )
  return rows.map((row) => row.refund)
}
const kindsOf = async (paymentId: string): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${paymentId}`)).map(({ kind }) => String(kind))

describe('the refunds of a payin', () => {
  it('are settled when the provider lists none and none is open', async () => {
    const paymentId = await org.start(cardPayin())
    expect(await settle(paymentId, [])).toBe('settled')
    expect(await refundsOf(paymentId)).toEqual([])
  })

  it('are open when the list cannot be read', async () => {
    const paymentId = await org.start(cardPayin())
    expect(await settle(paymentId, undefined)).toBe('open')
  })

  it('are open while the outcome of one of ours is unknown, and settled once it is known', async () => {
    const paymentId = await org.start(cardPayin())
    await refund(replying(inDoubt), paymentId)
    expect(await settle(paymentId, [])).toBe('open')
    expect(await refundsOf(paymentId)).toEqual(['api 500 unknown -'])
    const known = { inquireRefund: () => Promise.resolve(accepted('re_1', 'completed')) }
    expect(await settle(paymentId, [], known)).toBe('settled')
    expect(await refundsOf(paymentId)).toEqual(['api 500 completed re_1'])
  })

  it('are open as long as one of several is', async () => {
    const paymentId = await org.start(cardPayin())
    const loaded = await loadPayment(t.deps, org.orgId, paymentId)
    expect(await hasOpenRefund(t.deps, loaded)).toBe(false)
    await refund(replying({ refund: () => Promise.resolve(accepted('re_2', 'completed')) }), paymentId)
    expect(await hasOpenRefund(t.deps, loaded)).toBe(false)
    await refund(replying(inDoubt), paymentId)
    expect(await hasOpenRefund(t.deps, loaded)).toBe(true)
  })
})

describe('a refund in the list', () => {
  it('with our reference is ours and ends our refund', async () => {
    const paymentId = await org.start(cardPayin())
    const { reference } = await refund(replying(inDoubt), paymentId)
    expect(await settle(paymentId, [listed('re_3', { reference })])).toBe('settled')
    expect(await refundsOf(paymentId)).toEqual(['api 500 completed re_3'])
    expect(await kindsOf(paymentId)).toEqual([])
  })

  it('with the provider’s id of ours is ours, although it has no reference', async () => {
    const paymentId = await org.start(cardPayin())
    await refund(replying({ refund: () => Promise.resolve(accepted('re_4', 'processing')) }), paymentId)
    expect(await settle(paymentId, [listed('re_4')])).toBe('settled')
    expect(await refundsOf(paymentId)).toEqual(['api 500 completed re_4'])
  })

  it('that completed after ours had failed is raised', async () => {
    const paymentId = await org.start(cardPayin())
    const failed = accepted('re_5', 'failed')
    await refund(replying({ refund: () => Promise.resolve(failed) }), paymentId)
    await settle(paymentId, [listed('re_5')])
    expect(await refundsOf(paymentId)).toEqual(['api 500 failed re_5'])
    expect(await kindsOf(paymentId)).toEqual(['refund_after_failure'])
  })

  it('of the same amount may be ours while we do not know the id of ours, so it is not booked', async () => {
    const paymentId = await org.start(cardPayin())
    await refund(replying(inDoubt), paymentId)
    expect(await settle(paymentId, [listed('re_6')])).toBe('open')
    expect(await refundsOf(paymentId)).toEqual(['api 500 unknown -'])
  })

  it.each([
    ['re_7', 'has another amount', { amountMinor: 6_00n }],
    ['re_15', 'has a reference that is not ours', { reference: 'theirs' }],
  ])('%s is booked as one of somebody else while ours is in doubt, if it %s', async (id, _name, other) => {
    const paymentId = await org.start(cardPayin())
    await refund(replying(inDoubt), paymentId)
    await settle(paymentId, [listed(id, other)])
    expect((await refundsOf(paymentId)).at(-1)).toMatch(/^provider \d+ completed re_\d+$/)
  })

  it('of the same amount is booked when ours has another id, and when ours has failed', async () => {
    const paymentId = await org.start(cardPayin())
    await refund(replying({ refund: () => Promise.resolve(accepted('re_8', 'completed')) }), paymentId)
    await refund(replying({ refund: () => Promise.resolve(accepted(null, 'failed')) }), paymentId)
    await settle(paymentId, [listed('re_9')])
    expect(await refundsOf(paymentId)).toEqual([
      'api 500 completed re_8',
      'api 500 failed -',
      'provider 500 completed re_9',
    ])
    await settle(paymentId, [listed('re_9')])
    expect(await refundsOf(paymentId)).toHaveLength(3)
  })

  it('without an amount is not booked', async () => {
    const paymentId = await org.start(cardPayin())
    await settle(paymentId, [{ ...listed('re_10'), amount: undefined }])
    expect(await refundsOf(paymentId)).toEqual([])
  })

  it('that failed at once leaves no row', async () => {
    const paymentId = await org.start(cardPayin())
    await settle(paymentId, [listed('re_11', { state: 'failed' })])
    expect([await refundsOf(paymentId), await kindsOf(paymentId)]).toEqual([[], []])
  })
})

describe('a refund made at the provider', () => {
  const key = (paymentId: string) => ({ orgId: org.orgId, paymentId })

  it('in another currency than the payment is raised and not booked', async () => {
    const paymentId = await org.start(cardPayin())
    const amount = { amountMinor: 5_00n, currency: 'EUR' }
    expect(await bookRefund(t.deps, key(paymentId), { ...listed('re_12'), amount })).toBeUndefined()
    expect([await refundsOf(paymentId), await kindsOf(paymentId)]).toEqual([[], ['refund_unmatched']])
  })

  it('is under way until the list says that it ended', async () => {
    const paymentId = await org.start(cardPayin())
    const reported = {
      ...listed('re_13', { state: 'processing' }),
      amount: { amountMinor: 5_00n, currency: 'GBP' },
    }
    const booked = await bookRefund(t.deps, key(paymentId), reported)
    expect(await refundsOf(paymentId)).toEqual(['provider 500 accepted re_13'])
    const poll = (list: ProviderRefund[] | undefined) =>
      advanceRefund(replying({ listRefunds: () => Promise.resolve(list) }), {
        orgId: org.orgId,
        refundId: booked?.refundId ?? '',
        poll: 0,
      })
    expect(await poll(undefined)).toBeGreaterThan(0)
    expect(await poll([listed('re_14')])).toBeGreaterThan(0)
    expect(await refundsOf(paymentId)).toEqual(['provider 500 accepted re_13'])
    expect(await poll([listed('re_14'), listed('re_13')])).toBeUndefined()
    expect(await refundsOf(paymentId)).toEqual(['provider 500 completed re_13'])
    expect(await org.record(paymentId)).toMatchObject({ status: 'completed', refunded_amount: 5 })
  })
})
