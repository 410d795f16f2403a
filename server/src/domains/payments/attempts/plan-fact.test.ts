import { describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import type { LoadedPayment, Payment } from '../record.ts'
import type { Fact } from '../lifecycle/rules.ts'
import { sampleNow as now, samplePayout as payout, withAttempt } from '../testing/sample-payment.ts'
import { planFact } from './plan-fact.ts'
import { defaultPollSchedule } from './rules.ts'

const completed: Fact = {
  kind: 'accepted',
  providerRef: null,
  providerStatus: 'success',
  state: { state: 'completed' },
}
const pendingAs = (providerRef: string): Fact => ({
  kind: 'accepted',
  providerRef,
  providerStatus: 'queued',
  state: { state: 'pending' },
})

/** Plans with what planFact reads of its dependencies, and returns the payment and attempt afterwards. */
function plan(loaded: LoadedPayment, fact: Fact | undefined, hintedRef: string | null = null) {
  const funded: Payment[] = []
  const deps = {
    clock: { now: () => now },
    sendDeadlineMs: 1_000,
    pollSchedule: defaultPollSchedule,
    funding: (_previous: unknown, payment: Payment) => {
      funded.push(payment)
      return []
    },
  } as unknown as Parameters<typeof planFact>[0] // planning reads no other dependency
  const change = planFact(deps, loaded, fact, { attemptNo: 1, canSend: false, hintedRef })
  return { ...(change?.result ?? loaded), funded }
}

describe('the provider’s id', () => {
  const refAfter = (known: string | null, fact: Fact | undefined, hint: string | null = null) =>
    plan(withAttempt(payout(), { state: 'accepted', providerRef: known }), fact, hint).attempts[0]
      ?.providerRef

  it.each([
    ['is taken when no id is known', null, 'p-1', 'p-1'],
    ['extends the known id', 'p-1', 'p-1/t-2', 'p-1/t-2'],
    ['never replaces the known id', 'p-1', 'p-9', 'p-1'],
    ['never shortens the known id', 'p-1/t-2', 'p-1', 'p-1/t-2'],
  ])('a hint %s', (_promise, known, hint, expected) => {
    expect(refAfter(known, undefined, hint)).toBe(expected)
  })

  it('a hint never replaces the id that a verified fact brings', () => {
    expect(refAfter(null, pendingAs('p-1'), 'p-9')).toBe('p-1')
  })

  it('a verified fact replaces the known id unless that one is longer', () => {
    expect(refAfter('p-0', pendingAs('p-1'))).toBe('p-1')
    expect(refAfter('p-1/t-2', pendingAs('p-1'))).toBe('p-1/t-2')
  })
})

describe('the account that funds a payout', () => {
  const fundingAccountId = newId()

  it('is released on a late success: the organisation pays instead', () => {
    const failed = payout({ status: 'failed', failureCode: 'X', failureMessage: 'no', fundingAccountId })
    const { payment, funded } = plan(withAttempt(failed, { state: 'failed' }), completed)
    expect([payment.status, payment.fundingAccountId]).toEqual(['completed', null])
    expect(funded).toEqual([])
  })

  it('is kept on a success in time', () => {
    const { payment, funded } = plan(
      withAttempt(payout({ fundingAccountId }), { state: 'accepted' }),
      completed,
    )
    expect([payment.status, payment.fundingAccountId]).toEqual(['completed', fundingAccountId])
    expect(funded).toHaveLength(1)
  })
})

describe('a closed attempt', () => {
  it('keeps its id and status when an outdated report arrives', () => {
    const loaded = withAttempt(payout({ status: 'completed', providerStatus: 'success' }), {
      state: 'succeeded',
      providerRef: 'p-1',
      providerStatus: 'success',
    })
    const after = plan(loaded, pendingAs('p-9'))
    expect(after.attempts[0]).toMatchObject({ providerRef: 'p-1', providerStatus: 'success' })
    expect(after.payment.version).toBe(3)
  })
})
