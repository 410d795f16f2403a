import { describe, expect, it } from 'vitest'
import { statuses } from '../../payments/lifecycle/rules.ts'
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
  it('an active link counts as expired from expires_at on, even before the engine has written it', () => {
    expect(statusAt({ status: 'active', expiresAt: later }, now)).toBe('active')
    expect(statusAt({ status: 'active', expiresAt: now }, now)).toBe('expired')
  })

  it.each(['paid', 'canceled', 'expired'] as const)('a link that is %s keeps its status', (status) => {
    expect(statusAt({ status, expiresAt: now }, later)).toBe(status)
  })
})

describe('isInProgress', () => {
  it('is true for every status that is not final, and false without a payment', () => {
    const inProgress = statuses.filter((status) => isInProgress(status))
    expect(inProgress).toEqual(['initiated', 'reviewed', 'confirmed', 'processing', 'pending'])
    expect(isInProgress(null)).toBe(false)
  })
})
