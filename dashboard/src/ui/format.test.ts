import { afterEach, describe, expect, it } from 'vitest'
import { activate } from '../messages/active.ts'
import { catalogue } from '../messages/generated/en/catalogue.ts'
import {
  countryName,
  formatAmount,
  formatDuration,
  formatList,
  formatMoney,
  formatShare,
  formatTime,
} from './format.ts'

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
    expect([formatShare('0.9833'), formatShare('1')]).toEqual(['98.3%', '100.0%'])
  })
})

describe('in another language', () => {
  afterEach(() => activate('en', catalogue))

  it('amounts keep every digit and run to the right', () => {
    activate('fr', catalogue)
    expect(formatAmount('12345678901234567890.10', 'EUR')).toBe(
      '12 345 678 901 234 567 890,10'.replaceAll(' ', '\u202f'),
    )
    activate('ar', catalogue)
    expect(formatMoney('1234.5', 'KWD')).toBe('\u20661,234.500 KWD\u2069')
  })

  it('times have 24 hours', () => {
    activate('ar', catalogue)
    expect(formatTime('2026-11-12T20:15:06.845')).toBe('20:15:06.845')
  })

  it('durations, lists and countries have its words', () => {
    activate('fr', catalogue)
    expect([formatDuration(22_320_000), formatList(['a', 'b']), countryName('DE')]).toEqual([
      '6h 12min',
      'a et b',
      'Allemagne',
    ])
  })
})
