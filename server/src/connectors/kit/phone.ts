import { isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js'

/** Undefined if the text is no phone number. */
export function readPhone(phoneNumber: string, country: string): PhoneNumber | undefined {
  const text = phoneNumber.trim().replace(/^00/, '+')
  return isSupportedCountry(country) ? parsePhoneNumberFromString(text, country) : undefined
}

/** Digits with the country code and without a plus. An unreadable number is passed on for the provider to refuse. */
export const phoneDigits = (phoneNumber: string, country: string): string =>
  (readPhone(phoneNumber, country)?.number ?? phoneNumber.trim().replace(/^00/, '')).replaceAll(/\D/g, '')
