import type { ScreeningMatchDetails } from '@switchyard/sdk'
import type { ReactElement, ReactNode } from 'react'
import { nameOf } from '../../messages/name-of.ts'
import { match as text } from '../../messages/generated/texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { countryName, formatSeries, formatShare } from '../../ui/format.ts'
import { Panel, Scroll } from '../../ui/page.tsx'
import ui from '../../ui/ui.module.css'
import work from '../../ui/work.module.css'
import styles from './match.module.css'

/** Highlights the details that suggest the same person. */
const tones: Readonly<Record<string, Tone>> = { same: 'wait', same_year: 'wait', near: 'wait' }

/** The person and the list entry side by side, with the result of each comparison. */
export function Comparison({ match }: { match: ScreeningMatchDetails }): ReactElement {
  const { person, entry, comparison } = match
  const others = entry.names.filter((name) => name !== comparison.closest_name)
  const unknown = <span className={ui.muted}>{text.notKnown}</span>
  return (
    <Panel title={text.compared}>
      <Scroll label={text.compared}>
        <table className={`${ui.table} ${styles.compared}`}>
          <caption className={ui.visuallyHidden}>{text.compared}</caption>
          <thead>
            <tr>
              <th scope="col">{text.fact}</th>
              <th scope="col">{text.person}</th>
              <th scope="col">{text.entry}</th>
              <th scope="col">{text.result}</th>
            </tr>
          </thead>
          <tbody>
            <Row
              label={text.name}
              own={<Name name={person.name ?? text.notKnown} />}
              listed={
                <>
                  <Name name={comparison.closest_name} />
                  {comparison.is_alias && (
                    <span className={ui.muted}>{text.alias(entry.names[0] ?? entry.entry_id)}</span>
                  )}
                </>
              }
              result={<Badge tone="wait" text={text.alike(formatShare(match.score))} />}
            />
            {others.length > 0 && (
              <Row label={text.otherNames} own={null} listed={<Others names={others} />} result={null} />
            )}
            <Row
              label={text.birth}
              own={person.date_of_birth === null ? unknown : <Digits text={person.date_of_birth} />}
              listed={
                entry.birth_dates.length === 0 ? unknown : <Digits text={formatSeries(entry.birth_dates)} />
              }
              result={<Likeness value={comparison.date_of_birth} />}
            />
            <Row
              label={text.country}
              own={person.country === null ? unknown : countryName(person.country)}
              listed={entry.countries.length === 0 ? unknown : formatSeries(entry.countries.map(countryName))}
              result={<Likeness value={comparison.country} />}
            />
          </tbody>
        </table>
      </Scroll>
      <p className={`${work.prose} ${styles.note}`}>{text.score}</p>
    </Panel>
  )
}

interface RowProps {
  label: string
  own: ReactNode
  listed: ReactNode
  result: ReactNode
}

const Row = ({ label, own, listed, result }: RowProps): ReactElement => (
  <tr>
    <th scope="row">{label}</th>
    <td>{own}</td>
    <td>{listed}</td>
    <td>{result}</td>
  </tr>
)

const Name = ({ name }: { name: string }): ReactElement => (
  <strong className={styles.name}>
    <bdi>{name}</bdi>
  </strong>
)

const Others = ({ names }: { names: readonly string[] }): ReactElement => (
  <ul className={styles.others}>
    {names.map((name) => (
      <li key={name}>
        <bdi>{name}</bdi>
      </li>
    ))}
  </ul>
)

const Digits = ({ text: digits }: { text: string }): ReactElement => (
  <bdi dir="ltr" className={ui.number}>
    {digits}
  </bdi>
)

const Likeness = ({ value }: { value: string }): ReactElement => (
  <Badge tone={tones[value] ?? 'neutral'} text={nameOf(text.likenesses, value)} />
)
