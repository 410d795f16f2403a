import type { Protocol } from './protocol.ts'
import { pawapay } from './protocols/pawapay/protocol.ts'

export const PROTOCOLS: readonly Protocol[] = [pawapay]
