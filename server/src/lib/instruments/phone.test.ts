import { describe, expect, it } from 'vitest'
import { callingCodeOf, maskPhone, nationalNumberOf } from './phone.ts'

describe('a phone number', () => {
  it.each([
    ['+254708663158', '+254 ••• ••• 158'],
    ['+2250701020304', '+225 ••• ••• 304'],
    ['708663158', '••• ••• 158'],
  ])('%s is masked as %s', (number, masked) => {
    expect(maskPhone(number).replaceAll('\u00a0', ' ')).toBe(masked)
  })

  it.each([
    ['+254708663158', '708663158'],
    ['+2250701020304', '0701020304'],
    ['nonsense', undefined],
  ])('%s without its calling code is %s', (number, national) => {
    expect(nationalNumberOf(number)).toBe(national)
  })

  it.each([
    ['KE', '+254'],
    ['GB', '+44'],
    ['XX', undefined],
  ])('the calling code of %s is %s', (country, code) => {
    expect(callingCodeOf(country)).toBe(code)
  })
})
