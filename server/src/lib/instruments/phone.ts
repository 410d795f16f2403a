import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js'

/** Accepts a number with a plus, with the country's calling code but no plus, or in national format. */
export function toE164(text: string, country: string): string | undefined {
  const code = country as CountryCode // an unknown country makes the number unparsable, which is the right answer
  const national = parsePhoneNumberFromString(text, code)
  if (national?.isPossible() && national.country === country) return national.number
  const international = parsePhoneNumberFromString(text.startsWith('+') ? text : `+${text}`)
  const candidates = [national, international].filter((phone) => phone?.isPossible())
  return (candidates.find((phone) => phone?.country === country) ?? candidates[0])?.number
}

/** Such as `+254`; undefined for a country that has no numbers. */
export const callingCodeOf = (country: string): string | undefined =>
  isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : undefined

/** An E.164 number without its calling code. */
export const nationalNumberOf = (number: string): string | undefined =>
  parsePhoneNumberFromString(number)?.nationalNumber

const shownDigits = 3

/** The calling code and the last digits, by which the owner recognises the number: `+254 ••• ••• 158`, on one line. */
export function maskPhone(number: string): string {
  const parsed = parsePhoneNumberFromString(number)
  const code = parsed ? [`+${parsed.countryCallingCode}`] : []
  return [...code, '•••', '•••', number.slice(-shownDigits)].join('\u00a0')
}
