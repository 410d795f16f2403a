import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noCardBins, readCardBins } from './card-bins.ts'

const table = readCardBins(`bin,brand,country
424242,VISA,US
42424277,Visa,NG
378282,American Express,GB
601100,,
`)

describe('the first digits of a card', () => {
  it.each([
    ['4242424242424242', { brand: 'visa', country: 'US' }],
    ['4242427742424242', { brand: 'visa', country: 'NG' }],
    ['378282246310005', { brand: 'american-express', country: 'GB' }],
    ['6011000990139424', { brand: null, country: null }],
    ['5555555555554444', undefined],
  ])('%s', (number, expected) => {
    expect(table.find(number)).toEqual(expected)
  })

  it('say nothing without a table', () => {
    expect(noCardBins.find('4242424242424242')).toBeUndefined()
  })

  it('are found in any table as by searching it line by line', () => {
    const anyBin = fc
      .integer({ min: 6, max: 8 })
      .chain((length) =>
        fc
          .array(fc.constantFrom('4', '5'), { minLength: length, maxLength: length })
          .map((digits) => digits.join('')),
      )
    fc.assert(
      fc.property(
        fc.uniqueArray(anyBin),
        fc.array(fc.constantFrom('4', '5'), { minLength: 16, maxLength: 16 }),
        (bins, digits) => {
          const number = digits.join('')
          const lines = bins.map((bin) => `${bin},brand ${bin},NG`)
          const longest = bins
            .filter((bin) => number.startsWith(bin))
            .toSorted((a, b) => b.length - a.length)[0]
          expect(readCardBins(['bin,brand,country', ...lines].join('\n')).find(number)?.brand).toBe(
            longest === undefined ? undefined : `brand-${longest}`,
          )
        },
      ),
    )
  })
})

describe('a table with a malformed line is refused', () => {
  it.each(['42424,visa,NG', '4242424242,visa,NG', '424242,visa,Nigeria', 'visa,424242,NG'])('%s', (line) => {
    expect(() => readCardBins(`bin,brand,country\n${line}`)).toThrow('line 2 of the card BINs')
  })
})
