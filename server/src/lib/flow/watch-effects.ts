import { AsyncLocalStorage } from 'node:async_hooks'

/** What a running call may have changed, in the database or at a provider. */
export interface Effects {
  hasActed: boolean
  /** Transactions that have not ended: an error may answer the call before they do. */
  openTransactions: number
}

export const noEffects = (): Effects => ({ hasActed: false, openTransactions: 0 })

export const mayHaveActed = ({ hasActed, openTransactions }: Effects): boolean =>
  hasActed || openTransactions > 0

const watched = new AsyncLocalStorage<Effects>()

/** Everything that is started by `run` reports its effects. */
export const watchEffects = (effects: Effects, run: () => void): void => watched.run(effects, run)

/** Undefined outside of a watched call. */
export const watchedEffects = (): Effects | undefined => watched.getStore()
