import { describe, expect, it } from 'vitest'
import { formatAmount, formatShare } from './format.ts'

describe('decimals', () => {
  it('keep every digit', () => {
    expect(formatAmount('12345678901234567890.10', 'EUR')).toBe('12,345,678,901,234,567,890.10')
    expect(formatAmount('0.123456789012345678', 'USDC')).toBe('0.123456789012345678')
  })

  it.each([
    ['1500.250', 'KWD', '1,500.250'],
    ['1500.0', 'JPY', '1,500'],
    ['250000.0', 'UGX', '250,000'],
    ['1500.2', 'EUR', '1,500.20'],
    ['1500.0', 'USDC', '1,500.00'],
    ['0.000001', 'USDC', '0.000001'],
    ['-12.5', 'GBP', '-12.50'],
  ])('%s %s is shown as %s', (amount, currency, shown) => {
    expect(formatAmount(amount, currency)).toBe(shown)
  })

  it('a share is a percentage', () => {
    expect([formatShare('0.9833'), formatShare('1')]).toEqual(['98.3%', '100%'])
  })
})
