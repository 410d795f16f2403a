import { describe, expect, it } from 'vitest'
import { mask } from './mask.ts'

describe('an account number', () => {
  it('shows its last four digits only', () => {
    expect(mask('0690000049')).toBe('******0049')
    expect(mask('******0049')).toBe('******0049')
    expect(mask('')).toBe('')
  })
})
