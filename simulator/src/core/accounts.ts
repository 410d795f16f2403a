import { z } from 'zod'
import { LIMITS } from '../limits.ts'

export const DEFAULT_ACCOUNT = 'default'

const optionSchema = z.union([z.string(), z.number(), z.boolean()])
export type AccountOption = z.infer<typeof optionSchema>

/** A merchant's account at the provider. The protocol defines the names of its secrets and options. */
export interface Account {
  readonly name: string
  readonly webhookUrl: string | undefined
  readonly secrets: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, AccountOption>>
}

export const accountConfigSchema = z.strictObject({
  account: z.string().min(1).max(100).default(DEFAULT_ACCOUNT),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .optional(),
  secrets: z.record(z.string(), z.string()).default({}),
  options: z.record(z.string(), optionSchema).default({}),
})
export type AccountConfig = z.input<typeof accountConfigSchema>

export interface AccountBook {
  /** Updates or creates the account. Returns undefined if there are too many accounts. */
  readonly configure: (config: AccountConfig) => Account | undefined
  readonly get: (name: string) => Account | undefined
  readonly list: () => readonly Account[]
}

export function createAccountBook(defaultAccount: Account): AccountBook {
  const accounts = new Map([[defaultAccount.name, defaultAccount]])
  return {
    configure: (config) => {
      const { account: name, webhook_url: webhookUrl, secrets, options } = accountConfigSchema.parse(config)
      const before = accounts.get(name)
      if (before === undefined && accounts.size >= LIMITS.accountsPerProvider) return undefined
      const account: Account = {
        name,
        webhookUrl: webhookUrl === undefined ? before?.webhookUrl : (webhookUrl ?? undefined),
        secrets: { ...before?.secrets, ...secrets },
        options: { ...before?.options, ...options },
      }
      accounts.set(name, account)
      return account
    },
    get: (name) => accounts.get(name),
    list: () => [...accounts.values()],
  }
}
