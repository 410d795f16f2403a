import { describe, expect, it } from 'vitest'
import type { Payment } from '../../payments/record.ts'
import { sampleNow, samplePayout } from '../../payments/testing/sample-payment.ts'
import { effectOf } from './build-effects.ts'
import { newLeg } from './prepare-leg.ts'
import type { Leg, LegKind, LegRoute, LoadedRamp, Ramp } from './record.ts'
import { deliveryFailed, type LegDecision, type Step } from './rules.ts'

/** What each decision about a leg does to the ramp, its payment and the ledger, written down by hand. */
const failure = { code: 'X', message: 'no' }
const route = (provider: string): LegRoute => ({
  provider,
  configId: 'config',
  accountId: provider === 'crypto' ? null : `account of ${provider}`,
  custody: 'own',
  method: 'crypto',
})
const selling = (change: Partial<Ramp> = {}): Ramp => ({
  direction: 'off_ramp',
  fiat: { amountMinor: 369_550n, currency: 'UGX' },
  crypto: { amountMinor: 100_000_000n, currency: 'USDC' },
  network: 'BASE',
  rate: '3695.5',
  walletAddress: null,
  routes: [],
  phase: 'collecting',
  receivedMinor: 0n,
  suspendedMinor: 0n,
  expiresAt: sampleNow,
  ...change,
})
const buying = (change: Partial<Ramp> = {}): Ramp => selling({ direction: 'on_ramp', ...change })
const whole = 100_000_000n

const legOf = (kind: LegKind, ramp: Ramp, change: Partial<Leg> = {}): Leg => ({
  ...newLeg({ ramp, legs: [] }, kind, route(kind === 'delivery' ? 'pawapay' : 'crypto'), {
    now: sampleNow,
    sendDeadlineMs: 1_000,
    clock: { now: () => sampleNow },
  }),
  state: 'succeeded',
  ...change,
})

function play(
  ramp: Ramp,
  kind: LegKind,
  step: Step,
  {
    payment: changed = {},
    leg: changedLeg = {},
    receivedMinor = ramp.receivedMinor,
    legs: earlier = [],
  }: { payment?: Partial<Payment>; leg?: Partial<Leg>; receivedMinor?: bigint; legs?: Leg[] } = {},
) {
  const payment = samplePayout({ source: { amountMinor: whole, currency: 'USDC' }, ...changed })
  const leg = legOf(kind, ramp, changedLeg)
  const loaded: LoadedRamp = { payment, ramp, legs: earlier.length > 0 ? earlier : [leg] }
  const decision: LegDecision = { state: leg.state, step, receivedMinor }
  const effect = effectOf(loaded, leg, decision)
  return {
    ...effect,
    leg,
    paymentId: payment.paymentId,
    story: `${effect.ramp.phase} ${effect.status}`,
    transfers: effect.postings.map(
      ({ kind: name, debit, credit, amountMinor, currency }) =>
        `${name} ${debit}>${credit} ${amountMinor} ${currency}`,
    ),
  }
}

describe('a collection', () => {
  it('that changes nothing leaves everything as it was', () => {
    for (const kind of ['unchanged', 'try_next'] as const)
      expect(play(selling(), 'collection', { kind })).toMatchObject({
        story: 'collecting processing',
        isOpen: true,
        patch: {},
        postings: [],
        exceptions: [],
      })
  })

  it('waits for the customer or for a provider, until the payment has ended', () => {
    const wait = { kind: 'wait', status: 'pending' } as const
    expect(play(selling(), 'collection', wait).story).toBe('collecting pending')
    const ended = play(selling({ phase: 'watching' }), 'collection', wait, { payment: { status: 'failed' } })
    expect([ended.story, ended.isOpen]).toEqual(['watching failed', false])
  })

  it('that received the whole amount begins the delivery, and hides the instructions', () => {
    const done = play(selling(), 'collection', { kind: 'collected' }, { receivedMinor: whole })
    expect(done).toMatchObject({ story: 'delivering processing', exceptions: [] })
    expect(done.patch).toEqual({ nextAction: null })
    expect(done.transfers).toEqual([`ramp.received:${whole} provider:crypto>ramps ${whole} USDC`])
  })

  it('that received more keeps the surplus in suspense, and goes on with its own amount', () => {
    const more = whole + 1n
    const done = play(selling(), 'collection', { kind: 'collected' }, { receivedMinor: more })
    expect(done.story).toBe('delivering processing')
    expect(done.transfers).toEqual([
      `ramp.received:${more} provider:crypto>ramps ${more} USDC`,
      'ramp.suspended:1 ramps>suspense 1 USDC',
    ])
    expect(done.exceptions).toEqual([
      {
        kind: 'ramp_overpaid',
        paymentId: done.paymentId,
        provider: 'crypto',
        findingKey: `ramp_overpaid ${done.paymentId} 1 1`,
        summary: expect.stringMatching(/^More than the amount .* Amount: 0\.000001 USDC\.$/),
        held: { amountMinor: 1n, currency: 'USDC', provider: 'crypto', accountId: null, custody: 'own' },
      },
    ])
  })

  it('that failed closes the ramp, or watches it while the customer may still pay', () => {
    const fail = { kind: 'fail', failure } as const
    const closed = play(selling(), 'collection', fail, { leg: { state: 'failed' } })
    expect([closed.story, closed.isOpen]).toEqual(['closed failed', false])
    expect(closed.patch).toEqual({ failureCode: 'X', failureMessage: 'no', nextAction: null })
    expect(play(selling(), 'collection', fail, { leg: { state: 'accepted' } }).story).toBe('watching failed')
    expect(play(selling(), 'whole', fail, { leg: { state: 'accepted' } }).story).toBe('closed failed')
  })

  it('that received too little leaves it in suspense, for a person', () => {
    const step = { kind: 'suspend', exception: 'ramp_underpaid', failure } as const
    const done = play(selling(), 'collection', step, { receivedMinor: 40n })
    expect(done.story).toBe('closed failed')
    expect(done.patch).toEqual({ failureCode: 'X', failureMessage: 'no', nextAction: null })
    expect(done.transfers).toEqual([
      'ramp.received:40 provider:crypto>ramps 40 USDC',
      'ramp.suspended:40 ramps>suspense 40 USDC',
    ])
    expect(done.exceptions).toMatchObject([{ kind: 'ramp_underpaid', held: { amountMinor: 40n } }])
    const open = play(selling(), 'collection', step, { receivedMinor: 40n, leg: { state: 'accepted' } })
    expect(open.story).toBe('watching failed')
  })

  it('that was paid after the end keeps the status and its reason', () => {
    const step = { kind: 'suspend', exception: 'ramp_paid_late', failure } as const
    const ramp = selling({ phase: 'watching', receivedMinor: 40n, suspendedMinor: 40n })
    const done = play(ramp, 'collection', step, { receivedMinor: 70n, payment: { status: 'canceled' } })
    expect(done.story).toBe('closed canceled')
    expect(done.patch).toEqual({ nextAction: null })
    expect(done.transfers).toEqual([
      'ramp.received:70 provider:crypto>ramps 30 USDC',
      'ramp.suspended:70 ramps>suspense 30 USDC',
    ])
    expect(done.exceptions).toMatchObject([
      { findingKey: `ramp_paid_late ${done.paymentId} 1 70`, held: { amountMinor: 30n } },
    ])
  })

  it('that was paid again moves what came on top to suspense, and the ramp goes on', () => {
    const ramp = selling({ phase: 'delivering', receivedMinor: whole, suspendedMinor: 5n })
    const step = { kind: 'paid_again', amountMinor: 7n } as const
    const done = play(ramp, 'collection', step, { receivedMinor: whole + 7n })
    expect(done.story).toBe('delivering processing')
    expect(done.transfers).toEqual([
      `ramp.received:${whole + 7n} provider:crypto>ramps 7 USDC`,
      'ramp.suspended:12 ramps>suspense 7 USDC',
    ])
    expect(done.exceptions).toMatchObject([{ kind: 'ramp_paid_again', held: { amountMinor: 7n } }])
  })

  it('that needs a person names the amount of the leg where no money is held', () => {
    const done = play(selling(), 'collection', { kind: 'raise', exception: 'ramp_amount_differs' })
    expect(done.story).toBe('collecting processing')
    expect(done.exceptions).toMatchObject([
      { kind: 'ramp_amount_differs', held: undefined, summary: expect.stringContaining('100.000000 USDC') },
    ])
  })
})

describe('a delivery', () => {
  const collected = { phase: 'delivering', receivedMinor: whole } as const

  it('completes the ramp: what was collected is exchanged and paid out', () => {
    const done = play(selling(collected), 'delivery', { kind: 'complete' })
    expect([done.story, done.isOpen, done.patch]).toEqual(['closed completed', false, { nextAction: null }])
    expect(done.transfers).toEqual([
      `ramp.sold ramps>fx:USDC/UGX ${whole} USDC`,
      'ramp.bought fx:USDC/UGX>ramps 369550 UGX',
      'ramp.delivered ramps>provider:pawapay:account of pawapay 369550 UGX',
    ])
  })

  it('that failed for good gives fiat back, and leaves crypto to a person', () => {
    const back = { kind: 'return', failure } as const
    const fiat = play(buying({ phase: 'delivering', receivedMinor: 369_550n }), 'delivery', back)
    expect([fiat.story, fiat.transfers]).toEqual(['refunding processing', []])
    expect(fiat.patch).toEqual({ failureCode: 'X', failureMessage: 'no' })
    const ramp = selling(collected)
    const collection = legOf('collection', ramp)
    const crypto = play(ramp, 'delivery', back, { legs: [collection] })
    expect(crypto.story).toBe('closed failed')
    expect(crypto.patch).toEqual({
      failureCode: deliveryFailed.code,
      failureMessage: deliveryFailed.message,
      nextAction: null,
    })
    expect(crypto.transfers).toEqual([`ramp.suspended:${whole} ramps>suspense ${whole} USDC`])
    // The money is where it was collected.
    expect(crypto.exceptions).toMatchObject([
      { kind: 'ramp_not_delivered', provider: 'pawapay', held: { provider: 'crypto', amountMinor: whole } },
    ])
  })
})

describe('the return of what was collected', () => {
  it('refunds the payment, and the ledger of a ramp that has collected itself', () => {
    const ramp = buying({ phase: 'refunding', receivedMinor: 369_550n })
    const done = play(ramp, 'refund', { kind: 'returned' }, { leg: { accountId: null } })
    expect([done.story, done.isOpen]).toEqual(['closed refunded', false])
    expect(done.patch).toEqual({ refundedMinor: whole, nextAction: null })
    expect(done.transfers).toEqual(['ramp.returned ramps>provider:crypto 369550 UGX'])
  })

  it('by a provider that carries both legs moves nothing of ours', () => {
    const done = play(buying(), 'whole', { kind: 'returned' }, { leg: { state: 'failed' } })
    expect([done.story, done.transfers]).toEqual(['closed refunded', []])
  })
})

it('a provider that carries both legs has collected the whole amount once it has paid it out', () => {
  const done = play(buying(), 'whole', { kind: 'complete' })
  expect(done.ramp.receivedMinor).toBe(369_550n)
  expect(done.transfers).toEqual([
    'ramp.received:369550 provider:crypto>ramps 369550 UGX',
    'ramp.sold ramps>fx:UGX/USDC 369550 UGX',
    `ramp.bought fx:UGX/USDC>ramps ${whole} USDC`,
    `ramp.delivered ramps>provider:crypto ${whole} USDC`,
  ])
  // Until then it has collected nothing, and a delivery alone has received what it says.
  expect(play(buying(), 'whole', { kind: 'wait', status: 'pending' }).ramp.receivedMinor).toBe(0n)
  expect(
    play(selling({ phase: 'delivering', receivedMinor: 40n }), 'delivery', { kind: 'complete' }).ramp,
  ).toMatchObject({ receivedMinor: 40n })
})
