import type { Translated } from '../translated.ts'
import type { requestLog as english } from '../en/request-log.ts'

export const requestLog: Translated<typeof english> = {
  title: 'Rekodi ya maombi',
  text: 'Maombi ya siku saba zilizopita. Maudhui ya maombi na thamani zilizo kwenye anwani hazirekodiwi.',
  request: 'Ombi',
  method: 'Mbinu',
  route: 'Mkondo',
  status: 'Hali',
  statusClass: 'Matokeo',
  statusClasses: {
    '2xx': '2xx Mafanikio',
    '3xx': '3xx Kuelekezwa kwingine',
    '4xx': '4xx Kukataliwa',
    '5xx': '5xx Kushindikana',
  },
  requestId: 'Kitambulisho cha ombi',
  caller: 'Aliyetuma',
  key: 'Ufunguo wa API',
  duration: 'Muda',
  milliseconds: (ms: string) => `ms ${ms}`,
  at: 'Wakati',
  empty: 'Bado hakuna maombi',
  emptyText: 'Maombi ya mfumo wako na ya watu wa shirika lako huonekana hapa.',
  credentials: {
    api_key: 'ufunguo wa API',
    jwt: 'tokeni ya ufikiaji',
    session: 'dashibodi',
    payment_link: 'kiungo cha malipo',
  },
}
