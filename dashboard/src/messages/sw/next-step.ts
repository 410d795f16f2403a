import type { Translated } from '../translated.ts'
import type { nextStep as english } from '../en/next-step.ts'

/** What a payer has to do next, on the screen of a payment that was just started. */
export const nextStep: Translated<typeof english> = {
  titles: {
    redirect: 'Mlipaji anaendelea kwenye ukurasa mwingine',
    pay_by_link: 'Mlipaji anaendelea kwenye ukurasa mwingine',
    wait: 'Mlipaji anathibitisha kwenye simu yake',
    bank_transfer: 'Mlipaji anahamisha pesa',
    make_transfer: 'Mteja anafanya uhamisho',
    collect_otp: 'Mlipaji amepokea msimbo wa mara moja',
  },
  other: 'Kinachofuata',
  redirectText: 'Fungua ukurasa, au mtumie mlipaji anwani yake.',
  open: 'Fungua ukurasa',
  address: 'Anwani ya ukurasa',
  waitText: 'Hakuna la kufanya hapa. Ukurasa huu unaonyesha matokeo mara tu yanapojulikana.',
  transferText: 'Wasilisha taarifa hizi kama zilivyo. Malipo yanakamilika pesa zikifika.',
  otpText: 'Mwombe mlipaji. Unatumwa kwa mtoa huduma na hauhifadhiwi.',
  otp: 'Msimbo wa mara moja',
  submitOtp: 'Wasilisha msimbo',
  resend: 'Tuma tena',
  resent: 'Msimbo mpya uko njiani.',
  details: {
    account_name: 'Jina la akaunti',
    account_number: 'Namba ya akaunti',
    bank_name: 'Benki',
    bank_code: 'Namba ya benki',
    sort_code: 'Sort code',
    iban: 'IBAN',
    wallet_address: 'Anwani ya pochi',
    network: 'Mtandao',
    memo: 'Memo',
    reference: 'Kumbukumbu',
    amount: 'Kiasi',
    expires_at: 'Hadi',
  },
}
