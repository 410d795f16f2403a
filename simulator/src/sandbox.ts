import type { AccountOption } from './core/accounts.ts'

/** The development account of a protocol, as the provider and as Switchyard know it. */
export interface Sandbox {
  /** The account as the simulated provider knows it, so that nothing has to be configured first. */
  readonly account: {
    readonly secrets: Readonly<Record<string, string>>
    readonly options?: Readonly<Record<string, AccountOption>>
  }
  /** The credentials that an operator stores in Switchyard. Absent if the server's environment contains them. */
  readonly credentials?: (providerUrl: string) => Record<string, unknown>
  /** Absent if the provider sends webhooks to the account's configured URL. */
  readonly webhookUrl?: 'in each request'
  /** Routes of the development installation, tried after those of its other providers. */
  readonly corridors?: readonly SandboxCorridor[]
}

interface SandboxCorridor {
  /** ISO 3166 alpha-2. */
  readonly country: string
  readonly direction: 'inbound' | 'outbound' | 'external'
  readonly payment_method: 'mobile_money' | 'bank_transfer' | 'card' | 'crypto'
}
