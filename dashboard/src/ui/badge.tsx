import type { ReactElement } from 'react'
import styles from './ui.module.css'

export type Tone = 'good' | 'bad' | 'wait' | 'neutral'

/** Each tone also has a shape, so that the tones differ without colour. */
const shapes: Readonly<Record<Tone, string>> = {
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4.5 4.5l7 7m0-7l-7 7',
  wait: 'M8 4v4.5l3 1.5M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  neutral: 'M8 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
}

/** The name of a state, with a shape and a colour. */
export const Badge = ({ tone, text }: { tone: Tone; text: string }): ReactElement => (
  <span className={`${styles.status} ${tone === 'neutral' ? '' : styles[tone]}`}>
    <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.75" aria-hidden="true">
      <path d={shapes[tone]} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
    {text}
  </span>
)
