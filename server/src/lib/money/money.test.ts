import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  exponentOf,
  formatMinor,
  isCrypto,
  isFiat,
  isSameMoney,
  parseMinor,
  readMoney,
  wireAmount,
} from './money.ts'

const currencies = fc.constantFrom(
  'NGN',
  'GBP',
  'USD',
  'UGX',
  'JPY',
  'XOF',
  'KWD',
  'CLF',
  'USDC',
  'BTC',
  'ETH',
)
const amounts = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })

it('two amounts are the same if both the value and the currency are', () => {
  const one = { amountMinor: 10n ** 18n + 1n, currency: 'NGN' }
  expect(isSameMoney({ ...one }, one)).toBe(true)
  expect(isSameMoney({ ...one, amountMinor: 10n ** 18n }, one)).toBe(false)
  expect(isSameMoney({ ...one, currency: 'KES' }, one)).toBe(false)
  expect(isSameMoney(undefined, one)).toBe(false)
})

describe('minor units', () => {
  it('survive the round trip to decimal text, in every currency', () => {
    fc.assert(
      fc.property(amounts, currencies, (amountMinor, currency) => {
        expect(parseMinor(formatMinor(amountMinor, currency), currency)).toBe(amountMinor)
      }),
    )
  })

  it('are written with all decimals of the currency, and with at least one', () => {
    fc.assert(
      fc.property(amounts, currencies, (amountMinor, currency) => {
        const decimals = Math.max(exponentOf(currency), 1)
        expect(formatMinor(amountMinor, currency)).toMatch(new RegExp(`^-?(0|[1-9]\\d*)\\.\\d{${decimals}}$`))
      }),
    )
  })

  it.each([
    [150000n, 'NGN', '1500.00'],
    [5n, 'UGX', '5.0'],
    [0n, 'GBP', '0.00'],
    [0n, 'JPY', '0.0'],
    [-1n, 'GBP', '-0.01'],
    [1n, 'USDC', '0.000001'],
    [1n, 'ETH', '0.000000000000000001'],
    [123456789012345678901234567890n, 'USD', '1234567890123456789012345678.90'],
  ])('%s of %s are %s', (amountMinor, currency, text) => {
    expect(formatMinor(amountMinor, currency)).toBe(text)
  })

  it('are serialised as a JSON number with exactly their digits', () => {
    fc.assert(
      fc.property(amounts, currencies, (amountMinor, currency) => {
        expect(JSON.stringify({ amount: wireAmount(amountMinor, currency) })).toBe(
          `{"amount":${formatMinor(amountMinor, currency)}}`,
        )
      }),
    )
  })
})

describe('decimal text', () => {
  it('with more decimals than the currency has is refused', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n }),
        fc.integer({ min: 1, max: 9 }),
        currencies,
        (whole, last, currency) => {
          const tooFine = `${whole}.${'0'.repeat(exponentOf(currency))}${last}`
          expect(parseMinor(tooFine, currency)).toBeUndefined()
        },
      ),
    )
  })

  it('with trailing zeros is the same amount', () => {
    fc.assert(
      fc.property(amounts, currencies, fc.nat({ max: 5 }), (amountMinor, currency, zeros) => {
        expect(parseMinor(formatMinor(amountMinor, currency) + '0'.repeat(zeros), currency)).toBe(amountMinor)
      }),
    )
  })

  it.each([
    ['1500', 'NGN', 150000n],
    ['1.5e3', 'NGN', 150000n],
    ['150000E-2', 'NGN', 150000n],
    ['0.10e1', 'UGX', 1n],
    ['007', 'JPY', 7n],
    ['-0', 'GBP', 0n],
    ['0e999', 'GBP', 0n],
  ])('%s %s is %s', (text, currency, amountMinor) => {
    expect(parseMinor(text, currency)).toBe(amountMinor)
  })

  it.each([
    '',
    ' ',
    'abc',
    '1,5',
    '1_000',
    ' 1',
    '1 ',
    '+1',
    '.5',
    '5.',
    '0x10',
    '1e',
    'e1',
    'NaN',
    'Infinity',
    '1n',
    '--1',
    '1\n',
  ])('that is not a number is refused: %j', (text) => {
    expect(parseMinor(text, 'USD')).toBeUndefined()
  })

  it('with up to sixty zeros after its digits is read', () => {
    expect(parseMinor('1e58', 'USD')).toBe(10n ** 60n)
    expect(parseMinor('1e59', 'USD')).toBeUndefined()
  })

  it('with an absurd exponent is refused without building the number', () => {
    expect(parseMinor('1e1000000000', 'USD')).toBeUndefined()
    expect(parseMinor('1e-1000000000', 'USD')).toBeUndefined()
    expect(parseMinor('1e99999999999999999999999', 'USD')).toBeUndefined()
  })
})

describe('currencies', () => {
  // Copied from ISO 4217, list one, so that the table is compared with the standard and not with itself.
  it.each([
    ['USD EUR GBP NGN GHS KES ZAR TZS ZMW INR BRL MXN HUF MGA MRU CHF', 2],
    ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0],
    ['BHD IQD JOD KWD LYD OMR TND', 3],
    ['CLF UYW', 4],
    ['USDC USDT EURC', 6],
    ['BTC', 8],
    ['ETH', 18],
  ])('%s have %i decimals', (list, exponent) => {
    for (const currency of list.split(' '))
      expect([currency, exponentOf(currency)]).toEqual([currency, exponent])
  })

  it('are either fiat or crypto', () => {
    expect([isFiat('NGN'), isCrypto('NGN'), isFiat('USDC'), isCrypto('USDC')]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it.each(['', 'usd', 'QQQ', 'US', 'USDX', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    '%j is unknown',
    (currency) => {
      expect(isFiat(currency)).toBe(false)
      expect(isCrypto(currency)).toBe(false)
      expect(() => exponentOf(currency)).toThrow(RangeError)
    },
  )
})

describe('money of a provider', () => {
  it('is read in fiat currencies only', () => {
    expect(readMoney('15.00', 'GBP')).toEqual({ amountMinor: 1_500n, currency: 'GBP' })
    expect(readMoney('15', 'UGX')).toEqual({ amountMinor: 15n, currency: 'UGX' })
    for (const currency of ['USDC', 'BTC', 'QQQ', '']) expect(readMoney('15', currency)).toBeUndefined()
  })

  it('is not read with more decimals than its currency has', () => {
    expect(readMoney('15.001', 'GBP')).toBeUndefined()
    expect(readMoney('15.5', 'UGX')).toBeUndefined()
  })
})
