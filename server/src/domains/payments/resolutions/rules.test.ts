import { describe, expect, it } from 'vitest'
import { AppError } from '../../../lib/errors.ts'
import { defaultPollSchedule } from '../attempts/rules.ts'
import type { LoadedPayment } from '../record.ts'
import { statuses, type AttemptState, type Fact } from '../lifecycle/rules.ts'
import { attemptStates } from '../testing/sample-facts.ts'
import { sampleAttempt, sampleNow, samplePayout, withAttempt } from '../testing/sample-payment.ts'
import type { ResolvedOutcome } from './record.ts'
import {
  approverFor,
  assertSame,
  confirmsReturn,
  contradictsReturn,
  factOf,
  resolvableAttempt,
  returned as returnedFailure,
} from './rules.ts'

const day = 24 * 3_600_000

it('pooled money is decided about by the operator, own money by an administrator', () => {
  expect(approverFor({ custody: 'pooled', provider: 'paystack' })).toBe('operator')
  expect(approverFor({ custody: 'own', provider: 'paystack' })).toBe('administrator')
})

it('what people decide is a fact like a provider’s, and says that it is theirs', () => {
  expect(factOf('completed', 'ref')).toEqual({
    kind: 'accepted',
    providerRef: 'ref',
    providerStatus: 'resolved_completed',
    state: { state: 'completed' },
  })
  expect(factOf('failed', null)).toEqual({
    kind: 'accepted',
    providerRef: null,
    providerStatus: 'resolved_failed',
    state: {
      state: 'failed',
      failure: { code: 'RESOLVED_FAILED', message: 'Two people established that the payment failed.' },
    },
  })
})

describe('people may decide', () => {
  const may = (
    loaded: LoadedPayment,
    outcome: ResolvedOutcome,
    ageMs: number,
    hasOtherAmount = false,
  ): boolean => {
    const now = new Date(sampleNow.getTime() + ageMs)
    const doubt = { pollSchedule: defaultPollSchedule, now, hasOtherAmount }
    try {
      expect(resolvableAttempt(loaded, outcome, doubt).attemptNo).toBe(1)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
      return false
    }
  }

  it.each(['completed', 'failed'] as const)('that a payment in doubt is %s, and no other', (outcome) => {
    const at = (ageMs: number): AttemptState[] =>
      attemptStates.filter((state) => may(withAttempt(samplePayout(), { state }), outcome, ageMs))
    expect(at(day - 1)).toEqual([])
    expect(at(day)).toEqual(['unknown'])
    expect(at(7 * day)).toEqual(['accepted', 'unknown'])
    const open = statuses.filter((status) =>
      may(withAttempt(samplePayout({ status }), { state: 'unknown' }), outcome, day),
    )
    expect(open).toEqual(['initiated', 'reviewed', 'confirmed', 'processing', 'pending'])
  })

  it('about what people carry out themselves, without waiting for a provider', () => {
    const manual = attemptStates.filter((state) =>
      may(withAttempt(samplePayout(), { provider: 'manual', state }), 'completed', 0),
    )
    expect(manual).toEqual(['accepted'])
  })

  it('about a payment of which the provider has named another amount, at once unless it is being sent', () => {
    const states = attemptStates.filter((state) =>
      may(withAttempt(samplePayout(), { state }), 'completed', 0, true),
    )
    expect(states).toEqual(['accepted', 'unknown'])
    const ended = withAttempt(samplePayout({ status: 'completed' }), { state: 'accepted' })
    expect(may(ended, 'failed', 0, true)).toBe(false)
  })

  it('that a completed payout was returned, and nothing else', () => {
    const completed = samplePayout({ status: 'completed' })
    expect(attemptStates.filter((state) => may(withAttempt(completed, { state }), 'returned', 0))).toEqual([
      'succeeded',
    ])
    const payin = { ...completed, direction: 'inbound' as const }
    expect(may(withAttempt(payin, { state: 'succeeded' }), 'returned', 0)).toBe(false)
    expect(
      statuses.filter((status) =>
        may(withAttempt(samplePayout({ status }), { state: 'succeeded' }), 'returned', 0),
      ),
    ).toEqual(['completed'])
  })

  it('about the attempt that was proposed only', () => {
    const attempt = sampleAttempt({ attemptNo: 2 })
    expect(() => assertSame(attempt, 2)).not.toThrow()
    expect(() => assertSame(attempt, 1)).toThrow(AppError)
    expect(() => assertSame(attempt, undefined)).toThrow(AppError)
  })
})

describe('a payout that people called returned', () => {
  const returned = sampleAttempt({ resolutionId: 'decided', outcomeCode: 'RETURNED' })
  const paid = factOf('completed', null)

  it('has a reason that its payer reads', () => {
    expect(returnedFailure).toEqual({ code: 'RETURNED', message: 'The payout was returned.' })
  })

  it('is confirmed where people decided so, not where the provider did', () => {
    expect(confirmsReturn(returned)).toBe(true)
    expect(confirmsReturn({ ...returned, resolutionId: null })).toBe(false)
    expect(confirmsReturn({ ...returned, outcomeCode: 'RESOLVED_FAILED' })).toBe(false)
  })

  it('is contradicted by a provider that reports it as paid', () => {
    const others: (Fact | undefined)[] = [
      undefined,
      factOf('failed', null),
      { kind: 'unknown', reason: 'timeout' },
      { kind: 'not_sent', reason: 'refused' },
    ]
    expect(contradictsReturn(returned, paid)).toBe(true)
    expect(contradictsReturn({ ...returned, resolutionId: null }, paid)).toBe(false)
    expect(others.map((fact) => contradictsReturn(returned, fact))).toEqual([false, false, false, false])
  })
})
