import type { OpenedAccount, ProviderDeposit } from '../kit/accounts.ts'
import type { Method } from '../kit/connector.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readData } from '../kit/replies.ts'
import { customerSchema, depositEventSchema, fundingSchema, type FinancialAddress } from './answers.ts'
import type { Deps } from './client.ts'
import { accountCustomerForm, fundingForm } from './requests.ts'

/** The currencies in which Stripe gives a customer bank details of its own. */
export const accountCurrencies = ['EUR', 'GBP', 'USD'] as const

/**
 * A standing virtual account is a customer with funding instructions. Both calls have a key made from our reference, so
 * a repetition returns the same account.
 */
export const openAccount =
  (deps: Deps): Method<'openAccount'> =>
  async (account) => {
    const { reference } = account
    const created = await deps.client('/v1/customers', accountCustomerForm(account), `${reference}-account`)
    const customer = readData(created, customerSchema)?.id
    if (customer === undefined) return { kind: 'refused', reason: 'no customer was created' }
    const path = `/v1/customers/${encodeURIComponent(customer)}/funding_instructions`
    const form = fundingForm(account, deps.credentials.eurAccountCountry)
    const reply = await deps.client(path, form, `${reference}-funding`)
    const addresses = readData(reply, fundingSchema)?.bank_transfer.financial_addresses ?? []
    const [opened] = addresses.flatMap((address) => openedOf(address, account.name))
    if (!opened) return { kind: 'refused', reason: 'no bank details were returned' }
    return { kind: 'opened', account: { ...opened, depositKey: customer } }
  }

function openedOf({ sort_code, iban, aba }: FinancialAddress, name: string): OpenedAccount[] {
  if (sort_code)
    return [
      {
        accountNumber: sort_code.account_number,
        accountName: sort_code.account_holder_name,
        bankName: 'Stripe',
        bankCode: sort_code.sort_code,
      },
    ]
  if (iban)
    return [
      {
        accountNumber: iban.iban,
        accountName: iban.account_holder_name,
        bankName: 'Stripe',
        bankCode: iban.bic,
      },
    ]
  if (!aba) return []
  const { account_number: accountNumber, bank_name: bankName, routing_number: bankCode } = aba
  return [{ accountNumber, accountName: aba.account_holder_name ?? name, bankName, bankCode }]
}

/**
 * Money that reached the cash balance of a customer. The customers of ordinary bank transfers have one too, so a deposit
 * counts only if the customer is a virtual account.
 */
export function readDeposits(rawBody: Buffer): ProviderDeposit[] {
  const event = parseAnswer(rawBody.toString('utf8'), depositEventSchema)
  if (!event) return []
  const { id, customer, currency, net_amount: amountMinor, funded } = event.data.object
  return [
    {
      dedupeKey: `deposit:${id}`,
      providerRef: id,
      accountNumber: customer,
      amount: { amountMinor, currency },
      sender: {},
      description: funded.bank_transfer.reference ?? undefined,
      isPerhapsForeign: true,
    },
  ]
}
