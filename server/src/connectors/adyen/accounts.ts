import type { OpenedAccount } from '../kit/accounts.ts'
import type { Connector } from '../kit/connector.ts'
import type { HttpClient } from '../kit/http-client.ts'
import { readData } from '../kit/replies.ts'
import { instrumentSchema, type Instrument } from './answers.ts'
import { createClient } from './client.ts'
import type { Transfers } from './credentials.ts'

/** Where Adyen issues the accounts of a currency, and what a sender's bank needs besides the number. */
const markets = {
  EUR: { issuingCountryCode: 'NL', code: 'iban' },
  GBP: { issuingCountryCode: 'GB', code: 'sortCode' },
  USD: { issuingCountryCode: 'US', code: 'routingNumber' },
} as const
type Code = (typeof markets)[keyof typeof markets]['code']

const bankName = 'Adyen N.V.'
const descriptionCharacters = 300

/**
 * A virtual account is a business account of our own balance account, so that payouts can spend what arrives at it.
 * Its deposits name its id and not its number.
 */
export function createAccounts(
  http: HttpClient,
  transfers: Transfers & { accountHolder: string },
): Required<Pick<Connector, 'accountCurrencies' | 'openAccount'>> {
  const { balanceAccountId, accountHolder, accountCurrencies } = transfers
  const client = createClient(http, { baseUrl: transfers.accountsUrl, apiKey: transfers.apiKey })
  return {
    accountCurrencies,
    openAccount: async ({ reference, name, currency }) => {
      const offered = accountCurrencies.find((one) => one === currency)
      if (offered === undefined) return { kind: 'refused', reason: `no accounts in ${currency}` }
      const { issuingCountryCode, code } = markets[offered]
      const body = {
        type: 'bankAccount',
        balanceAccountId,
        issuingCountryCode,
        description: name.slice(0, descriptionCharacters),
        reference,
      }
      const opened = readData(await client('/paymentInstruments', body, reference), instrumentSchema)
      const account = opened && accountOf(opened, code, accountHolder)
      return account ? { kind: 'opened', account } : { kind: 'refused', reason: 'no account was opened' }
    },
  }
}

/** Undefined for an account that no bank could send to. */
function accountOf(
  { id, bankAccount }: Instrument,
  code: Code,
  accountName: string,
): OpenedAccount | undefined {
  const { accountNumber = bankAccount.iban, sortCode, routingNumber, iban } = bankAccount
  if (accountNumber === undefined || bankAccount[code] === undefined) return undefined
  return { accountNumber, accountName, bankName, sortCode, routingNumber, iban, depositKey: id }
}
