import { describe, expect, it } from 'vitest'
import { statuses } from '../payments/rules.ts'
import { isInProgress, linkStatuses, statusAt, transitions } from './rules.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T12:00:00.001Z')

describe('transitions', () => {
  it.each(linkStatuses.flatMap((from) => linkStatuses.map((to) => [from, to] as const)))(
    'from %s to %s',
    (from, to) => {
      const isAllowed = from === 'active' ? to !== 'active' : to === 'paid' && from !== 'paid'
      expect(transitions[from].includes(to)).toBe(isAllowed)
    },
  )
})

describe('statusAt', () => {
  it('an active link is expired from its last moment on, whether the engine has been there or not', () => {
    expect(statusAt({ status: 'active', expiresAt: later }, now)).toBe('active')
    expect(statusAt({ status: 'active', expiresAt: now }, now)).toBe('expired')
  })

  it.each(['paid', 'canceled', 'expired'] as const)('a link that is %s stays so', (status) => {
    expect(statusAt({ status, expiresAt: now }, later)).toBe(status)
  })
})

describe('isInProgress', () => {
  it('a payment that has not ended is, and none is not', () => {
    const inProgress = statuses.filter((status) => isInProgress(status))
    expect(inProgress).toEqual(['initiated', 'reviewed', 'confirmed', 'processing', 'pending'])
    expect(isInProgress(null)).toBe(false)
  })
})
