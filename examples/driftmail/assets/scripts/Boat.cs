namespace Driftmail;

/// The mail boat: it follows the pointer and blows its horn when it reaches a mooring.
public sealed class Boat : Script
{
    public float speed = 84;
    public float turn = 2.4f;

    void Moored() => Audio.Play("audio/horn.wav");

    void Touched(Entity other)
    {
        if (other.Name == "Buoy") Audio.Play("audio/splash.wav");
    }
}
