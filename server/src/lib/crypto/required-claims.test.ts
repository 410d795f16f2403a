import { describe, expect, it } from 'vitest'
import { missingClaim, readClaims, requiredClaims } from './required-claims.ts'

const required = requiredClaims.parse({
  'org-admin': { amr: ['mfa', 'hwk'], acr: ['high'] },
  staff: { amr: ['mfa'] },
})

describe('missingClaim', () => {
  const missing = (role: 'org-admin' | 'staff' | 'viewer', payload: Record<string, unknown>) =>
    missingClaim(required, role, readClaims(required, payload))?.name

  it('one value of each claim is enough, as a text or in a list', () => {
    expect(missing('org-admin', { amr: ['pwd', 'hwk'], acr: 'high' })).toBeUndefined()
    expect(missing('staff', { amr: 'mfa' })).toBeUndefined()
  })

  it('names what is missing', () => {
    expect(missing('org-admin', { amr: ['mfa'] })).toBe('acr')
    expect(missing('org-admin', { acr: 'high' })).toBe('amr')
    expect(missing('staff', { amr: ['pwd'] })).toBe('amr')
    expect(missing('staff', {})).toBe('amr')
  })

  it('takes no value that is not a text, nor one that only looks alike', () => {
    for (const amr of [{ mfa: true }, [['mfa']], 1, null, true, 'MFA', 'mfa pwd', ['mfa ']])
      expect(missing('staff', { amr })).toBe('amr')
  })

  it('requires nothing of a role that is not named', () => {
    expect(missing('viewer', {})).toBeUndefined()
  })
})

describe('requiredClaims', () => {
  it.each([
    { owner: { amr: ['mfa'] } },
    { staff: { amr: 'mfa' } },
    { staff: { amr: [] } },
    { staff: ['mfa'] },
  ])('refuses %j', (value) => expect(requiredClaims.safeParse(value).success).toBe(false))
})
