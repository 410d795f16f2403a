import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'

export type State = 'ok' | 'warning' | 'failed' | 'skipped'

/** One line of the report. A finding that is not ok has a fix. */
export interface Finding {
  check: string
  state: State
  detail: string
  fix?: string
}

export interface CheckInput {
  config: Config
  deps: Deps
}

export type Check = (examined: CheckInput) => Promise<Finding[]>

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail })
export const skipped = (check: string, detail: string): Finding => ({ check, state: 'skipped', detail })
export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  state: 'warning',
  detail,
  fix,
})
export const failed = (check: string, detail: string, fix: string): Finding => ({
  check,
  state: 'failed',
  detail,
  fix,
})
