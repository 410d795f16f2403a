import type { ReactElement } from 'react'
import { payoutBatches } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const tones: Readonly<Record<string, Tone>> = {
  awaiting_approval: 'wait',
  paused: 'wait',
  completed: 'good',
  rejected: 'bad',
}

export const BatchBadge = ({ status }: { status: string }): ReactElement => (
  <Badge tone={tones[status] ?? 'neutral'} text={nameOf(payoutBatches.statuses, status)} />
)
