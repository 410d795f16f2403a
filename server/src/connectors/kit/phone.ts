import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** Digits with the country's code and no plus. What cannot be read goes as it is, for the provider to refuse. */
export function phoneDigits(phoneNumber: string, country: string): string {
  const text = phoneNumber.trim().replace(/^00/, '+')
  const parsed = isSupportedCountry(country) ? parsePhoneNumberFromString(text, country) : undefined
  return (parsed?.number ?? text).replaceAll(/\D/g, '')
}
