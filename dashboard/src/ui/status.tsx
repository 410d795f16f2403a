import type { ReactElement } from 'react'
import { nameOf } from '../messages/name-of.ts'
import { terms } from '../messages/generated/texts.ts'
import { Badge, type Tone } from './badge.tsx'

const tones: Readonly<Record<string, Tone>> = {
  initiated: 'wait',
  reviewed: 'wait',
  confirmed: 'neutral',
  processing: 'neutral',
  pending: 'neutral',
  completed: 'good',
  failed: 'bad',
  refunded: 'neutral',
  rejected: 'bad',
  canceled: 'neutral',
}

export const Status = ({ status }: { status: string }): ReactElement => (
  <Badge tone={tones[status] ?? 'neutral'} text={nameOf(terms.paymentStatus, status)} />
)
