import { networkName } from '@switchyard/checkout/networks.ts'
import type { PaidMethod } from '@switchyard/checkout/scene.ts'
import { maskPhone } from '../../../lib/instruments/phone.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import { readDetails } from '../../payments/reads/read-details.ts'
import type { CardSummary, Payment } from '../../payments/record.ts'

export interface MethodDeps {
  vault: Vault
}

interface PhoneAccount {
  phone: string
  network: { brand: string; name: string }
}

/** The phone that a mobile money payment was sent to, masked, and its network as the payer chose it. */
export async function describePhone(deps: MethodDeps, payment: Payment): Promise<PhoneAccount | undefined> {
  const { mobileMoney } = await readDetails(deps, payment)
  if (!mobileMoney) return undefined
  const { network: brand, phoneNumber } = mobileMoney
  return { phone: maskPhone(phoneNumber), network: { brand, name: networkName(brand) } }
}

/** How it was paid. Only the payer sees which card or phone. */
export async function describeMethod(
  deps: MethodDeps,
  payment: Payment,
  { isPayer }: { isPayer: boolean },
): Promise<PaidMethod | undefined> {
  const { method } = payment
  if (method === 'crypto') return undefined
  return { method, detail: isPayer ? await detailOf(deps, payment) : undefined }
}

async function detailOf(deps: MethodDeps, payment: Payment): Promise<string | undefined> {
  if (payment.method === 'card') return payment.card ? cardText(payment.card) : undefined
  if (payment.method !== 'mobile_money') return undefined
  const account = await describePhone(deps, payment)
  return account && `${account.network.name}, ${account.phone}`
}

const brandNames: Readonly<Record<string, string>> = {
  'american-express': 'American Express',
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

const cardText = ({ brand, last4 }: CardSummary): string => `${brandName(brand)}••••\u00a0${last4}`

function brandName(brand: string | null): string {
  if (brand === null || brand === '') return ''
  const name = brandNames[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
  return `${name} `
}
