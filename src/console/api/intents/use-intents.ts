import { useState } from 'react'
import { signedInAgain } from '../session.ts'
import { Intents } from './intent.ts'

/** Intents of a component. */
export const useIntents = (): Intents => useState(() => new Intents(signedInAgain))[0]
