import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'

/** With a plus, with the country's code but no plus, or as dialled inside the country. */
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
