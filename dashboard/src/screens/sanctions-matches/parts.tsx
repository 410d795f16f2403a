import type { ReactElement } from 'react'
import { matches as text, sanctionsLists } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../shell/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { SubNav } from '../../ui/sub-nav.tsx'

/** Only the operator sees the lists. */
export const SanctionsLists = (): ReactElement | false =>
  useMay('platform:read') && (
    <SubNav
      label={text.lists}
      links={[
        { to: paths.matches, label: text.queue },
        { to: paths.sanctionsLists, label: sanctionsLists.title },
      ]}
    />
  )

const tones: Readonly<Record<string, Tone>> = { open: 'wait', cleared: 'good', confirmed: 'bad' }

export const MatchStatus = ({ status }: { status: string }): ReactElement => (
  <Badge tone={tones[status] ?? 'neutral'} text={nameOf(text.statuses, status)} />
)
