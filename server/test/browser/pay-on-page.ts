import { card, cvv, mistypedCard, otp, person } from '../secrets/canaries.ts'
import type { Json } from '../app/test-app.ts'
import { cardForm, newPayer, type PageAnswer } from '../worlds/test-links.ts'

/** Pays links by card and by mobile money: a mistyped card, a forged CSRF token, a success, a reload and an OTP. */
export async function payAndMistype(make: (body: Json) => Promise<Json>): Promise<PageAnswer[]> {
  const { email } = person
  const form = { ...cardForm(card), cvc: cvv, email }
  const shop = newPayer(await make({ amount: 25, currency: 'GBP', email }))
  await shop.get()
  const byCard = [
    await shop.send({ ...form, card_number: mistypedCard }),
    await shop.send({ ...form, csrf: 'forged' }),
    await shop.send(form),
    await shop.get(),
  ]
  const phone = newPayer(await make({ amount: 10.15, currency: 'GHS', country: 'GH', email }))
  await phone.get()
  const started = await phone.send({ method: 'mobile_money', network: 'MTN', phone: '233241234567' })
  await phone.get()
  return [...byCard, started, await phone.send({ otp }, '/otp')]
}
