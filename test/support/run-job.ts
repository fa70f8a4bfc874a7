/** For a run of a job: it may do all that is due. */
export const mayGoOn = async (): Promise<boolean> => true;
