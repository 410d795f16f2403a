import type { ReactElement } from 'react'
import { virtualAccounts as text } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const tones: Readonly<Record<string, Tone>> = { active: 'good', frozen: 'wait' }

export const AccountBadge = ({ status }: { status: string }): ReactElement => (
  <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />
)
