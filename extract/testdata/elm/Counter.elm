port module Counter exposing (Model, Msg(..), main, update)

{-| A counter with a step.

@docs Model, update

-}

import Browser
import Html exposing (Html, button, div, text)
import Json.Decode as Decode


{-| What the page remembers.
-}
type alias Model =
    { count : Int
    , step : Int
    }


{-| What can happen.
-}
type Msg
    = Increment
    | SetStep Int
    | Loaded (Result String Int)


type Id a
    = Id String


port save : Int -> Cmd msg


port loaded : (Int -> msg) -> Sub msg


{-| Applies one message.
-}
update : Msg -> Model -> ( Model, Cmd Msg )
update msg model =
    case msg of
        Increment ->
            let
                next =
                    model.count + model.step

                bump : Int -> Int
                bump n =
                    n + 1
            in
            ( { model | count = bump next }, save next )

        SetStep n ->
            ( { model | step = clamp 1 10 n }, Cmd.none )

        Loaded _ ->
            ( model, Cmd.none )


view : Model -> Html Msg
view model =
    div [] [ button [] [ text (String.fromInt model.count) ] ]


initial =
    Model 0 1


main =
    Browser.element { init = \() -> ( initial, Cmd.none ), update = update, view = view, subscriptions = always (loaded (Ok >> Loaded)) }
