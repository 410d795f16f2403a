export type IdentityAccount = {
  user_id: string
  email: string
  org_id: string
  /** What the account is for, shown where it is picked. */
  description?: string
}

/** Read on every request, since accounts are seeded after the provider has started. */
export type AccountDirectory = {
  find(userId: string): IdentityAccount | undefined | Promise<IdentityAccount | undefined>
  list(): IdentityAccount[] | Promise<IdentityAccount[]>
}

/** A directory in memory, to which accounts are added as they are seeded. */
export type MemoryDirectory = AccountDirectory & { add(accounts: readonly IdentityAccount[]): void }

export function createAccountDirectory(): MemoryDirectory {
  const accounts = new Map<string, IdentityAccount>()
  return {
    find: (userId) => accounts.get(userId),
    list: () => [...accounts.values()],
    add(added) {
      for (const account of added) accounts.set(account.user_id, account)
    },
  }
}
