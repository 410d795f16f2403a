import type { Translated } from '../translated.ts'
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: Translated<typeof english> = {
  title: 'Ingia kwenye Switchyard',
  text: 'Utaendelea kwa mtoa utambulisho wa shirika lako.',
  button: 'Ingia',
  signedOut: 'Umetoka.',
  errors: {
    expired:
      'Kuingia kulichukua muda mrefu mno au kulianzishwa kwenye kivinjari kingine. Tafadhali ingia tena.',
    refused: 'Mtoa utambulisho hakuthibitisha wewe ni nani. Tafadhali ingia tena.',
    'not-a-member': 'Wewe si mwanachama wa shirika lolote hapa. Mwombe msimamizi akualike.',
    'too-weak':
      'Jukumu lako linahitaji kuingia kwa njia thabiti zaidi, kwa mfano kwa hatua ya pili ya uthibitisho. Tafadhali ingia tena kwa njia hiyo.',
    unavailable: 'Mtoa utambulisho hajibu kwa sasa. Tafadhali jaribu tena baada ya muda mfupi.',
  },
}
