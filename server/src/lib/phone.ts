import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'

/** Accepts a number with a plus, with the country's calling code but no plus, or in national format. */
export function toE164(text: string, country: string): string | undefined {
  const code = country as CountryCode // an unknown country makes the number unparsable, which is the right answer
  const candidates = [
    parsePhoneNumberFromString(text, code),
    parsePhoneNumberFromString(text.startsWith('+') ? text : `+${text}`),
  ]
  return (
    candidates.find((phone) => phone?.isPossible() && phone.country === country)?.number ??
    candidates.find((phone) => phone?.isPossible())?.number
  )
}
